// The viewer of a run: a scene in WebGL2, plots in SVG, and one time for all of them. It needs nothing but this file.
//
//   vcg.start(data, host)   builds everything inside the element `host`; `data` is what viewer.py writes.
//
// Parts, in order: vectors and matrices, the clock (Player), meshes, the picture (View), plots, controls.
"use strict";
const vcg = (() => {
  // --- vectors and matrices, column by column as WebGL wants them ---------------------------------------------------
  const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
  const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const norm = (a) => Math.hypot(a[0], a[1], a[2]);
  const unit = (a) => scale(a, 1 / (norm(a) || 1));
  const clamp = (x, low, high) => Math.min(high, Math.max(low, x));

  function multiply(a, b) {
    const c = new Float32Array(16);
    for (let j = 0; j < 4; j++)
      for (let i = 0; i < 4; i++)
        for (let k = 0; k < 4; k++) c[4 * j + i] += a[4 * k + i] * b[4 * j + k];
    return c;
  }
  function perspective(angle, aspect, near, far) {
    const f = 1 / Math.tan(angle / 2), d = 1 / (near - far);
    return new Float32Array([f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) * d, -1, 0, 0, 2 * far * near * d, 0]);
  }
  function lookAt(eye, target, up) {
    const z = unit(add(eye, target, -1)), x = unit(cross(up, z)), y = cross(z, x);
    return new Float32Array([
      x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, -dot(x, eye), -dot(y, eye), -dot(z, eye), 1,
    ]);
  }
  function placed(at, q) {  // a position and a unit quaternion, scalar part last
    const [x, y, z, w] = q;
    return new Float32Array([
      1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 0,
      2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x), 0,
      2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y), 0,
      at[0], at[1], at[2], 1,
    ]);
  }
  function between(a, b, radius) {  // takes the unit cylinder along z to the line from a to b
    const d = add(b, a, -1), z = unit(d), side = Math.abs(z[0]) < 0.8 ? [1, 0, 0] : [0, 1, 0];
    const x = scale(unit(cross(side, z)), radius), y = cross(z, x);
    return new Float32Array([...x, 0, ...y, 0, ...d, 0, ...a, 1]);
  }

  // --- the clock ----------------------------------------------------------------------------------------------------
  class Player {
    constructor(times) {
      this.times = times;
      this.first = times[0];
      this.last = times[times.length - 1];
      this.t = this.first;
      this.speed = 1;
      this.playing = false;
      this.listeners = [];
      this.before = 0;
    }
    tell() { for (const listener of this.listeners) listener(this.t); }
    set(t) {
      this.t = clamp(t, this.first, this.last);
      this.tell();
    }
    play(on) {
      this.playing = on;
      if (on && this.t >= this.last) this.t = this.first;
      this.before = performance.now();
      if (on) requestAnimationFrame((now) => this.tick(now));
      this.tell();
    }
    tick(now) {
      if (!this.playing) return;
      this.t += this.speed * clamp((now - this.before) / 1000, 0, 0.1);  // a frame may be stamped before it was asked for
      this.before = now;
      if (this.t > this.last) this.t = this.first;
      this.tell();
      requestAnimationFrame((next) => this.tick(next));
    }
    row(t) {  // the row at or before a time, and how far it is to the next
      let low = 0, high = this.times.length - 1;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (this.times[middle] <= t) low = middle; else high = middle;
      }
      const span = this.times[high] - this.times[low];
      return [low, high, span > 0 ? clamp((t - this.times[low]) / span, 0, 1) : 0];
    }
  }
  const at = (values, [low, high, s], width = 3) => {
    const out = [];
    for (let k = 0; k < width; k++) out.push(values[width * low + k] * (1 - s) + values[width * high + k] * s);
    return out;
  };
  const turn = (values, where) => {  // neighbours have the same sign, so a straight line is short
    const q = at(values, where, 4), size = Math.hypot(...q) || 1;
    return q.map((part) => part / size);
  };

  // --- meshes -------------------------------------------------------------------------------------------------------
  function solid(corners, triangles) {
    const out = new Float32Array(3 * triangles.length);
    triangles.forEach((corner, k) => out.set(corners.slice(3 * corner, 3 * corner + 3), 3 * k));
    return out;
  }
  function edges(corners, rings) {
    const out = [];
    for (const ring of rings)
      ring.forEach((corner, k) => {
        const next = ring[(k + 1) % ring.length];
        if (corner < next) out.push(...corners.slice(3 * corner, 3 * corner + 3), ...corners.slice(3 * next, 3 * next + 3));
      });
    return new Float32Array(out);
  }
  function tube(tip) {  // along z from 0 to 1, of radius 1; with a tip it is a cone
    const out = [], n = 16;
    for (let k = 0; k < n; k++) {
      const a = (2 * Math.PI * k) / n, b = (2 * Math.PI * (k + 1)) / n;
      const p = [Math.cos(a), Math.sin(a), 0], q = [Math.cos(b), Math.sin(b), 0];
      const top = (r) => (tip ? [0, 0, 1] : [r[0], r[1], 1]);
      out.push(...p, ...q, ...top(q), ...p, ...top(q), ...top(p), ...q, ...p, 0, 0, 0, ...top(p), ...top(q), 0, 0, 1);
    }
    return new Float32Array(out);
  }
  function helix() {
    const out = [], coils = 9, n = 24 * coils;
    for (let k = 0; k <= n; k++) {
      const s = k / n, end = Math.min(1, 8 * s, 8 * (1 - s));
      out.push(end * Math.cos(2 * Math.PI * coils * s), end * Math.sin(2 * Math.PI * coils * s), s);
    }
    return new Float32Array(out);
  }

  // --- the picture --------------------------------------------------------------------------------------------------
  const VERTEX = `#version 300 es
    uniform mat4 view, model;
    in vec3 place;
    out vec3 world;
    void main() {
      vec4 p = model * vec4(place, 1.0);
      world = p.xyz;
      gl_Position = view * p;
    }`;
  const FRAGMENT = `#version 300 es
    precision highp float;
    uniform vec4 colour;
    uniform vec3 light, eye;
    uniform bool lit;
    in vec3 world;
    out vec4 result;
    void main() {
      float shade = 1.0;
      if (lit) {
        vec3 normal = normalize(cross(dFdx(world), dFdy(world)));
        if (dot(normal, eye - world) < 0.0) normal = -normal;
        shade = 0.66 + 0.44 * max(0.0, dot(normal, light));
      }
      result = vec4(colour.rgb * shade * colour.a, colour.a);
    }`;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const seen = (colour) => (dark.matches ? colour.map((part) => part + 0.45 * (1 - part)) : colour);  // lighter on dark paper
  const rgb = (text) => [1, 3, 5].map((k) => parseInt(text.slice(k, k + 2), 16) / 255);
  const ANGLE = 0.6, INK = [0.17, 0.17, 0.17], GREY = [0.5, 0.53, 0.56], RED = [0.7, 0.09, 0.17], GREEN = [0.1, 0.5, 0.25];
  const LIGHT = [0.9, 0.92, 0.95];
  const TRAIL = 400, GHOSTS = 6;

  class View {
    constructor(canvas, scene, player) {
      this.canvas = canvas;
      this.scene = scene;
      this.player = player;
      this.gl = canvas.getContext("webgl2", { alpha: true, antialias: true, preserveDrawingBuffer: true });
      this.shown = { trails: true, ghosts: false, vectors: false, follow: scene.travels };
      if (!this.gl) return;
      this.compile();
      this.reset();
      this.listen();
      player.listeners.push(() => this.draw());
      dark.addEventListener("change", () => this.draw());
      new ResizeObserver(() => this.draw()).observe(canvas);
    }
    compile() {
      const gl = this.gl, program = gl.createProgram();
      for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
        const shader = gl.createShader(kind);
        gl.shaderSource(shader, text);
        gl.compileShader(shader);
        gl.attachShader(program, shader);
      }
      gl.bindAttribLocation(program, 0, "place");
      gl.linkProgram(program);
      if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
      this.program = program;
      this.where = {};
      for (const name of ["view", "model", "colour", "light", "eye", "lit"]) this.where[name] = gl.getUniformLocation(program, name);
      this.bodies = this.scene.bodies.map((body) => ({
        ...body, rgb: rgb(body.colour), mesh: this.mesh(solid(body.corners, body.triangles)),
        outline: body.rings.length ? this.mesh(edges(body.corners, body.rings)) : null,
      }));
      this.tube = this.mesh(tube(false));
      this.cone = this.mesh(tube(true));
      this.helix = this.mesh(helix());
      this.free = this.mesh(new Float32Array(3));
    }
    mesh(values) {
      const gl = this.gl, array = gl.createVertexArray(), buffer = gl.createBuffer();
      gl.bindVertexArray(array);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(0);
      gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
      return { array, buffer, count: values.length / 3 };
    }
    put(mesh, model, colour, alpha = 1, mode = this.gl.TRIANGLES) {
      const gl = this.gl;
      gl.bindVertexArray(mesh.array);
      gl.uniformMatrix4fv(this.where.model, false, model);
      gl.uniform4f(this.where.colour, ...seen(colour), alpha);
      gl.uniform1i(this.where.lit, mode === gl.TRIANGLES ? 1 : 0);
      gl.drawArrays(mode, 0, mesh.count);
    }
    strip(points, colour, alpha, mode) {
      const gl = this.gl, values = new Float32Array(points);
      gl.bindVertexArray(this.free.array);
      gl.bindBuffer(gl.ARRAY_BUFFER, this.free.buffer);
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW);
      this.put({ array: this.free.array, count: values.length / 3 }, IDENTITY, colour, alpha, mode);
    }
    reset() {
      const { up, toward, travels, size, radius, half } = this.scene, { clientWidth: w, clientHeight: h } = this.canvas;
      const side = Math.abs(up[0]) < 0.8 ? [1, 0, 0] : [0, 1, 0];
      this.e1 = unit(add(side, up, -dot(side, up)));
      this.e2 = cross(up, this.e1);
      this.pitch = Math.asin(clamp(dot(toward, up), -1, 1));
      this.yaw = Math.atan2(dot(toward, this.e2), dot(toward, this.e1));
      this.distance = half && !travels  // a plane mechanism need not fit when it is turned
        ? half[2] + (1.15 * Math.max(half[1], (half[0] * h) / Math.max(1, w))) / Math.tan(ANGLE / 2)
        : (1.1 * (travels ? size : radius)) / Math.sin(ANGLE / 2);
      this.shift = [0, 0, 0];
      this.shown.follow = travels;
      this.draw();
    }
    get toward() {
      const c = Math.cos(this.pitch);
      return add(add(scale(this.e1, c * Math.cos(this.yaw)), this.e2, c * Math.sin(this.yaw)), this.scene.up, Math.sin(this.pitch));
    }
    get target() {
      const base = this.shown.follow ? at(this.scene.centre, this.player.row(this.player.t)) : this.scene.middle;
      return add(base, this.shift);
    }
    matrix() {
      const { clientWidth: w, clientHeight: h } = this.canvas, target = this.target;
      this.eye = add(target, this.toward, this.distance);
      const far = this.distance + 4 * this.scene.radius + norm(this.shift);
      const lens = perspective(ANGLE, w / Math.max(1, h), Math.max(far * 1e-4, this.distance * 0.02), far);
      return multiply(lens, lookAt(this.eye, target, this.scene.up));
    }
    project(point) {  // a point of the scene in pixels of the canvas
      const m = this.matrix(), p = [...point, 1], q = [0, 1, 3].map((i) => p.reduce((sum, x, k) => sum + m[4 * k + i] * x, 0));
      return [(0.5 + q[0] / q[2] / 2) * this.canvas.clientWidth, (0.5 - q[1] / q[2] / 2) * this.canvas.clientHeight];
    }
    draw() {
      const gl = this.gl, ratio = window.devicePixelRatio || 1;
      if (!gl) return;
      const width = Math.round(this.canvas.clientWidth * ratio), height = Math.round(this.canvas.clientHeight * ratio);
      if (!width || !height) return;
      if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
      gl.viewport(0, 0, width, height);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      gl.enable(gl.DEPTH_TEST);
      gl.enable(gl.BLEND);
      gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
      gl.enable(gl.POLYGON_OFFSET_FILL);
      gl.polygonOffset(1, 1);
      gl.useProgram(this.program);
      gl.uniformMatrix4fv(this.where.view, false, this.matrix());
      gl.uniform3f(this.where.eye, ...this.eye);
      gl.uniform3f(this.where.light, ...unit(add(add(scale(this.toward, 0.5), this.scene.up, 0.8), cross(this.scene.up, this.toward), -0.4)));
      const where = this.player.row(this.player.t);
      this.ground();
      if (this.shown.trails) this.trails(where);
      this.lines(where);
      this.solids(where, 1);
      if (this.shown.vectors) this.vectors(where);
      if (this.shown.ghosts) this.ghosts();
    }
    ground() {
      const { ground, up, middle, radius, low, normal } = this.scene;
      if (!ground) return;
      const follow = this.shown.follow, size = follow ? 2 * this.scene.size : 1.2 * radius, cell = size / 6;
      const here = follow ? this.target : middle, foot = add(here, up, low - dot(here, up));
      const a = this.e1, b = this.e2, points = [];
      const snap = (d) => (follow ? Math.round(dot(foot, d) / cell) * cell - dot(foot, d) : 0);
      const start = add(add(foot, a, snap(a)), b, snap(b));
      const line = (from, along, reach) => points.push(...add(from, along, -reach), ...add(from, along, reach));
      const [deep, wide] = normal && Math.abs(dot(normal, a)) > 0.5 ? [a, b] : [b, a];
      if (normal) line(start, wide, size);
      for (let k = -6; k <= 6; k++) {
        line(add(start, wide, k * cell), deep, normal ? size / 6 : size);
        if (!normal) line(add(start, deep, k * cell), wide, size);
      }
      this.strip(points, GREY, 0.45, this.gl.LINES);
    }
    trails(where) {
      const first = Math.max(0, where[0] - TRAIL);
      for (const body of this.bodies) {
        const points = body.at.slice(3 * first, 3 * where[0] + 3).concat(at(body.at, where));
        this.strip(points, body.rgb, 0.85, this.gl.LINE_STRIP);
      }
    }
    solids(where, alpha) {
      for (const body of [...this.bodies].sort((a, b) => a.hides - b.hides)) {  // what others are inside of comes last
        const model = placed(at(body.at, where), turn(body.turn, where));
        this.gl.depthMask(!body.hides);
        this.put(body.mesh, model, body.rgb, body.hides ? 0.3 * alpha : alpha);
        this.gl.depthMask(true);
        if (body.outline && alpha === 1) this.put(body.outline, model, dark.matches ? LIGHT : INK, 1, this.gl.LINES);
      }
    }
    lines(where, alpha = 1) {
      const thick = 0.014 * this.scene.size;
      for (const line of this.scene.lines) {
        const a = at(line.first, where), b = at(line.second, where);
        if (norm(add(a, b, -1)) < 1e-12) continue;
        if (line.kind === "spring") this.put(this.helix, between(a, b, 2 * thick), GREY, alpha, this.gl.LINE_STRIP);
        else if (line.body >= 0) this.put(this.tube, between(a, b, thick), this.bodies[line.body].rgb, alpha);
        else this.put(this.tube, between(a, b, line.kind === "arm" ? thick / 3 : thick / 2), GREY, alpha);
      }
      for (const joint of this.scene.joints) {
        const a = at(joint, where);
        this.put(this.tube, between(add(a, this.toward, -thick), add(a, this.toward, thick), 1.2 * thick), [0.95, 0.95, 0.95], alpha);
      }
    }
    arrow(a, vector, colour) {
      const thick = 0.008 * this.scene.size, length = norm(vector);
      if (length < 3 * thick) return;
      const b = add(a, vector), neck = add(b, unit(vector), -Math.min(0.3 * length, 7 * thick));
      this.put(this.tube, between(a, neck, thick), colour);
      this.put(this.cone, between(neck, b, 2.6 * thick), colour);
    }
    vectors(where) {  // velocities of centres, from neighbouring rows, and forces
      const { times } = this.player, span = times[where[1]] - times[where[0]];
      for (const body of this.bodies) {
        const step = add(body.at.slice(3 * where[1], 3 * where[1] + 3), body.at.slice(3 * where[0], 3 * where[0] + 3), -1);
        if (span > 0 && this.scene.fastest > 0) this.arrow(at(body.at, where), scale(step, (0.5 * this.scene.size) / span / this.scene.fastest), GREEN);
      }
      for (const force of this.scene.arrows)
        if (force.largest > 0) this.arrow(at(force.at, where), scale(at(force.vector, where), (0.5 * this.scene.size) / force.largest), RED);
    }
    ghosts() {
      const { first, last } = this.player;
      for (let k = 0; k < GHOSTS; k++) {
        const where = this.player.row(first + ((last - first) * k) / (GHOSTS - 1));
        this.lines(where, 0.25);
        this.solids(where, 0.25);
      }
    }
    listen() {
      const { canvas } = this, pointers = new Map();
      let pinch = 0;
      canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); pointers.set(event.pointerId, event); });
      for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => { pointers.delete(event.pointerId); pinch = 0; });
      canvas.addEventListener("pointermove", (event) => {
        const before = pointers.get(event.pointerId);
        if (!before) return;
        const dx = event.clientX - before.clientX, dy = event.clientY - before.clientY;
        pointers.set(event.pointerId, event);
        if (pointers.size === 2) {
          const [p, q] = [...pointers.values()], now = Math.hypot(p.clientX - q.clientX, p.clientY - q.clientY);
          if (pinch) this.zoom(pinch / now);
          pinch = now;
        } else if (event.shiftKey || event.buttons === 2) this.pan(dx, dy);
        else this.orbit(-dx * 0.008, dy * 0.008);
      });
      canvas.addEventListener("contextmenu", (event) => event.preventDefault());
      canvas.addEventListener("wheel", (event) => { event.preventDefault(); this.zoom(Math.exp(event.deltaY * 0.001)); }, { passive: false });
      canvas.addEventListener("dblclick", () => this.reset());
    }
    orbit(yaw, pitch) {
      this.yaw += yaw;
      this.pitch = clamp(this.pitch + pitch, -1.55, 1.55);
      this.draw();
    }
    pan(dx, dy) {
      const per = (2 * this.distance * Math.tan(ANGLE / 2)) / this.canvas.clientHeight;
      const right = unit(cross(this.scene.up, this.toward)), up = cross(this.toward, right);
      this.shift = add(add(this.shift, right, -dx * per), up, dy * per);
      this.draw();
    }
    zoom(factor) {
      this.distance = clamp(this.distance * factor, 0.05 * this.scene.size, 50 * this.scene.radius);
      this.draw();
    }
    toggle(name) {
      this.shown[name] = !this.shown[name];
      this.draw();
    }
  }
  const IDENTITY = new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);

  // --- elements -----------------------------------------------------------------------------------------------------
  const SVG = "http://www.w3.org/2000/svg";
  function element(name, attributes = {}, ...children) {
    const made = SHAPES.has(name) ? document.createElementNS(SVG, name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }
  const SHAPES = new Set(["svg", "path", "line", "text", "g", "rect", "circle"]);
  const shown = (x, span) => {  // with digits enough to tell a thousandth of the span
    if (x === null || x === 0) return x === null ? "–" : "0";
    const digits = clamp(Math.ceil(Math.log10(Math.abs(x) / (span || Math.abs(x)))) + 3, 4, 12);
    return Math.abs(x) >= 1e7 || Math.abs(x) < 1e-3 ? x.toExponential(digits - 2) : x.toPrecision(Math.max(digits, Math.ceil(Math.log10(Math.abs(x)))));
  };

  // --- plots --------------------------------------------------------------------------------------------------------
  const WIDE = 470, HIGH = 190, LEFT = 68, RIGHT = 12, TOP = 8, BOTTOM = 36;
  function ticks(low, high, count, least = 0) {  // places that are even, and the step between them
    const raw = Math.max((high - low) / count, least), power = 10 ** Math.floor(Math.log10(raw)), lead = raw / power;
    const step = power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10), out = [];
    for (let x = Math.ceil(low / step) * step; x <= high + 1e-9 * step; x += step) out.push(Math.abs(x) < 1e-9 * step ? 0 : x);
    return [out, step];
  }
  function tick(v, step) {  // with as many digits as tell it from its neighbours
    const size = Math.abs(v), exponent = (x) => Math.floor(Math.log10(x) + 1e-9);
    if (v === 0 && step < 1e-3) return "0";
    if (v !== 0 && (size >= 1e6 || size < 1e-3)) return v.toExponential(clamp(exponent(size) - exponent(step), 0, 12));
    return v.toFixed(clamp(-exponent(step), 0, 12));
  }
  function plot(panel, player) {
    const log = panel.logarithmic, value = (y) => (log ? Math.log10(y) : y);
    const all = panel.curves.flatMap((curve) => curve.values).filter((y) => y !== null).map(value);
    let low = Math.min(...all), high = Math.max(...all);
    if (log) { low = Math.floor(low); high = Math.ceil(high); }
    if (!(high > low)) { const pad = Math.abs(low) * 0.1 || 1; low -= pad; high += pad; }
    const x = (t) => LEFT + ((t - player.first) / (player.last - player.first || 1)) * (WIDE - LEFT - RIGHT);
    const y = (v) => HIGH - BOTTOM - ((v - low) / (high - low)) * (HIGH - TOP - BOTTOM);
    const drawn = element("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": `${panel.title}: ${panel.curves.map((curve) => curve.name).join(", ")}`, class: "plot" });
    const [times, apart] = ticks(player.first, player.last, 6), [levels, step] = ticks(low, high, 4, log ? 1 : 0);
    for (const t of times) drawn.append(
      element("line", { x1: x(t), x2: x(t), y1: TOP, y2: HIGH - BOTTOM, class: "grid" }),
      element("text", { x: x(t), y: HIGH - BOTTOM + 14, "text-anchor": "middle" }, tick(t, apart)));
    for (const v of levels) drawn.append(
      element("line", { x1: LEFT, x2: WIDE - RIGHT, y1: y(v), y2: y(v), class: "grid" }),
      element("text", { x: LEFT - 6, y: y(v) + 3.5, "text-anchor": "end" }, log ? `1e${v}` : tick(v, step)));
    drawn.append(element("text", { x: WIDE - RIGHT, y: HIGH - 6, "text-anchor": "end" }, "t [s]"));
    const legend = element("ul", { class: "legend" });
    const span = log ? 0 : high - low;
    const values = panel.curves.map((curve, k) => {
      let path = "", open = false;
      curve.values.forEach((v, j) => {
        if (v !== null) path += `${open ? "L" : "M"}${x(panel.t[j]).toFixed(1)} ${y(value(v)).toFixed(1)}`;
        open = v !== null;
      });
      drawn.append(element("path", { d: path, class: `curve c${k % 8}` }));
      const number = element("span", { class: "number" });
      legend.append(element("li", { class: `c${k % 8}` }, element("span", { class: "name" }, curve.name), number));
      return number;
    });
    const cursor = element("line", { y1: TOP, y2: HIGH - BOTTOM, class: "cursor" });
    drawn.append(cursor);
    const tell = (t) => {
      cursor.setAttribute("x1", x(t));
      cursor.setAttribute("x2", x(t));
      const [low, high, s] = player.row(t);
      panel.curves.forEach((curve, k) => { values[k].textContent = ` ${shown(curve.values[s < 0.5 ? low : high], span)}`; });
    };
    const asked = (event) => {
      const box = drawn.getBoundingClientRect();
      return player.first + (((event.clientX - box.left) / box.width) * WIDE - LEFT) / (WIDE - LEFT - RIGHT) * (player.last - player.first);
    };
    drawn.addEventListener("pointermove", (event) => (event.buttons ? player.set(asked(event)) : tell(clamp(asked(event), player.first, player.last))));
    drawn.addEventListener("pointerdown", (event) => player.set(asked(event)));
    drawn.addEventListener("pointerleave", () => tell(player.t));
    player.listeners.push(tell);
    tell(player.t);
    const title = panel.unit ? `${panel.title} [${panel.unit}]` : panel.title;
    return element("figure", { class: "panel" }, element("figcaption", {}, title), drawn, legend);
  }

  // --- controls -----------------------------------------------------------------------------------------------------
  const SPEEDS = [0.001, 0.005, 0.02, 0.1, 0.25, 0.5, 1, 2, 4, 10, 50];
  const KEYS = "space: play, arrows: step, + and -: speed, f: follow, g: ghosts, t: trails, v: vectors; shift and arrows: turn the camera, i and o: zoom, r: reset it";
  function controls(player, view) {
    const play = element("button", { type: "button", class: "play", title: "play or pause (space)" }, "Play");
    const slider = element("input", { type: "range", min: player.first, max: player.last, step: "any", "aria-label": "time" });
    const clock = element("output", { class: "clock" });
    const span = player.last - player.first, digits = clamp(3 - Math.floor(Math.log10(span || 1)), 1, 9);
    const wanted = span > 1.5 && span < 100 ? 1 : (span || 1) / 6, far = (s) => Math.abs(Math.log(s / wanted));
    player.speed = SPEEDS.reduce((best, s) => (far(s) < far(best) ? s : best));  // real time, or some seconds in all
    const speed = element("select", { "aria-label": "speed" }, ...SPEEDS.map((s) =>
      element("option", { value: s, ...(s === player.speed ? { selected: "" } : {}) }, `${s}×`)));
    play.addEventListener("click", () => player.play(!player.playing));
    slider.addEventListener("input", () => { const t = Number(slider.value); player.play(false); player.set(t); });
    speed.addEventListener("change", () => { player.speed = Number(speed.value); });
    const toggles = ["follow", "trails", "ghosts", "vectors"].map((name) => {
      const button = element("button", { type: "button", class: name, "aria-pressed": view.shown[name] }, name);
      button.addEventListener("click", () => { view.toggle(name); button.setAttribute("aria-pressed", view.shown[name]); });
      return button;
    });
    const reset = element("button", { type: "button", class: "reset" }, "reset view");
    reset.addEventListener("click", () => { view.reset(); toggles[0].setAttribute("aria-pressed", view.shown.follow); });
    player.listeners.push((t) => {
      slider.value = t;
      clock.textContent = `t = ${t.toFixed(digits - 1)} s`;
      play.textContent = player.playing ? "Pause" : "Play";
    });
    const bar = element("div", { class: "controls", role: "group", "aria-label": "playback" }, play, slider, clock, speed, ...toggles, reset);
    bar.pick = (name) => toggles.find((button) => button.className === name).click();
    bar.faster = (step) => { speed.selectedIndex = clamp(speed.selectedIndex + step, 0, speed.options.length - 1); player.speed = Number(speed.value); };
    bar.reset = () => reset.click();
    return bar;
  }
  const KEPT = { INPUT: /^Arrow|^[+-]$/, SELECT: /^Arrow| /, BUTTON: / /, SUMMARY: / / };  // keys that an element needs itself
  const TURNS = { ArrowRight: [0.1, 0], ArrowLeft: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
  function keyboard(host, player, view, bar) {
    const step = (player.last - player.first) / 100;
    const names = { f: "follow", g: "ghosts", t: "trails", v: "vectors" };
    const does = {
      " ": () => player.play(!player.playing), ArrowRight: () => player.set(player.t + step), ArrowLeft: () => player.set(player.t - step),
      "+": () => bar.faster(1), "-": () => bar.faster(-1), r: () => bar.reset(), i: () => view.zoom(0.9), o: () => view.zoom(1 / 0.9),
    };
    document.addEventListener("keydown", (event) => {
      const { key, target } = event, turn = event.shiftKey && TURNS[key];
      if (event.ctrlKey || event.altKey || event.metaKey || (KEPT[target.tagName] && KEPT[target.tagName].test(key))) return;
      if (target !== document.body && !host.contains(target)) return;
      if (turn) view.orbit(...turn);
      else if (does[key]) does[key]();
      else if (names[key]) bar.pick(names[key]);
      else return;
      event.preventDefault();
    });
  }

  const PAPER = 640;  // pixels that a page of paper is wide, about
  function start(data, host) {
    const player = new Player(data.scene.t);
    const canvas = element("canvas", { class: "scene", tabindex: "0", role: "img", "aria-label": `${data.scene.name} in motion. Keys: ${KEYS}` });
    const stage = element("div", { class: "stage" }, canvas);
    host.append(stage);
    const view = new View(canvas, data.scene, player);
    if (!view.gl) stage.append(element("p", {}, "This browser has no WebGL2, so the mechanism cannot be shown in motion here."));
    const names = element("ul", { class: "names" }, ...data.scene.bodies.map((body) => {
      const mark = element("span", { class: "mark" });
      const paint = () => { mark.style.background = `rgb(${seen(rgb(body.colour)).map((part) => Math.round(255 * part))})`; };
      paint();
      dark.addEventListener("change", paint);
      return element("li", {}, mark, body.name);
    }));
    const bar = controls(player, view);
    host.append(names, bar, element("p", { class: "keys" }, KEYS));
    const plots = element("div", { class: "plots" });
    for (const panel of data.plots) plots.append(plot({ ...panel, t: data.scene.t }, player));
    host.append(plots);
    keyboard(host, player, view, bar);
    window.addEventListener("beforeprint", () => {
      for (const folded of document.querySelectorAll("details")) folded.open = true;
      const formulas = [...document.querySelectorAll("math")], widths = formulas.map((each) => each.getBoundingClientRect().width);
      formulas.forEach((each, k) => { if (widths[k] > PAPER) each.style.zoom = PAPER / widths[k]; });  // paper does not scroll
    });
    window.addEventListener("afterprint", () => { for (const each of document.querySelectorAll("math")) each.style.zoom = ""; });
    host.viewer = { player, view };
    player.tell();
    if (view.gl && !window.matchMedia("(prefers-reduced-motion: reduce)").matches && !data.still) player.play(true);
    return host.viewer;
  }
  return { start };
})();
