// Pinocchio behind the calls of loop.c: a tree of joints from rows of numbers, with points held together.
#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/loop-constrained-aba.hpp>
using namespace pinocchio;
namespace {
enum Kind { FREE, HINGE, SLIDE, BALL, PARTICLE };
struct Twin {
    Model model;
    std::vector<RigidConstraintModel> rows;
    // What lcaba leaves in its data would make a later constraintDynamics wrong, so each has its own.
    Data *data, *lcaba_data;
    std::vector<RigidConstraintData> datas, lcaba_datas;
    ProximalSettings settings, penalty;
    Eigen::VectorXd q, v, tau;
    void take(const double *in)
    {
        q = Eigen::Map<const Eigen::VectorXd>(in, model.nq);
        v = Eigen::Map<const Eigen::VectorXd>(in + model.nq, model.nv);
        tau = Eigen::Map<const Eigen::VectorXd>(in + model.nq + model.nv, model.nv);
    }
};
JointIndex joint(Model &model, JointIndex parent, int kind, const Eigen::Vector3d &axis, const SE3 &place, const std::string &name)
{
    switch (kind) {
    case FREE: return model.addJoint(parent, JointModelFreeFlyer(), place, name);
    case BALL: return model.addJoint(parent, JointModelSpherical(), place, name);
    case PARTICLE: return model.addJoint(parent, JointModelTranslation(), place, name);
    case SLIDE:
        return axis.x() == 1 ? model.addJoint(parent, JointModelPX(), place, name)
             : axis.y() == 1 ? model.addJoint(parent, JointModelPY(), place, name)
             : axis.z() == 1 ? model.addJoint(parent, JointModelPZ(), place, name)
                             : model.addJoint(parent, JointModelPrismaticUnaligned(axis), place, name);
    default:
        return axis.x() == 1 ? model.addJoint(parent, JointModelRX(), place, name)
             : axis.y() == 1 ? model.addJoint(parent, JointModelRY(), place, name)
             : axis.z() == 1 ? model.addJoint(parent, JointModelRZ(), place, name)
                             : model.addJoint(parent, JointModelRevoluteUnaligned(axis), place, name);
    }
}
} // namespace
// A row of `links` is parent (-1: the ground), kind, axis, place, center, mass, inertia of nine numbers; a row of `closures` is
// a link and a place in it, twice.
extern "C" void *pinocchio_open(const double *links, int count, const double *closures, int closed, const double *gravity)
{
    Twin *t = new Twin;
    t->model.gravity.setZero();
    t->model.gravity.linear() = Eigen::Map<const Eigen::Vector3d>(gravity);
    std::vector<JointIndex> at;
    auto index = [&](double k) { return k < 0 ? JointIndex(0) : at[(size_t)k]; };
    auto vector = [](const double *x) { return Eigen::Vector3d(x[0], x[1], x[2]); };
    for (int k = 0; k < count; ++k) {
        const double *b = links + 21 * k;
        const SE3 place(Eigen::Matrix3d::Identity(), vector(b + 5));
        at.push_back(joint(t->model, index(b[0]), (int)b[1], vector(b + 2), place, "j" + std::to_string(k)));
        t->model.appendBodyToJoint(at[k], Inertia(b[11], vector(b + 8), Eigen::Map<const Eigen::Matrix3d>(b + 12)), SE3::Identity());
    }
    for (int k = 0; k < closed; ++k) {
        const double *c = closures + 8 * k;
        const SE3 one(Eigen::Matrix3d::Identity(), vector(c + 1)), other(Eigen::Matrix3d::Identity(), vector(c + 5));
        t->rows.emplace_back(CONTACT_3D, t->model, index(c[0]), one, index(c[4]), other, LOCAL);
        t->datas.emplace_back(t->rows.back());
    }
    t->data = new Data(t->model);
    t->lcaba_data = new Data(t->model);
    t->lcaba_datas = t->datas;
    if (closed) {
        initConstraintDynamics(t->model, *t->data, t->rows, t->datas);
        computeJointMinimalOrdering(t->model, *t->lcaba_data, t->rows);
    }
    t->q.resize(t->model.nq);
    t->v.resize(t->model.nv);
    t->tau.resize(t->model.nv);
    return t;
}
// How constraints are solved: accuracy, mu and iterations of constraintDynamics, then of lcaba.
extern "C" void pinocchio_settle(void *self, const double *x)
{
    Twin &t = *static_cast<Twin *>(self);
    t.settings = ProximalSettings(x[0], x[1], (int)x[2]);
    t.penalty = ProximalSettings(x[3], x[4], (int)x[5]);
}
// `in` is positions, velocities and forces; `out` the rates of the velocities.
extern "C" void pinocchio_aba(void *self, const double *in, double *out)
{
    Twin &t = *static_cast<Twin *>(self);
    t.take(in);
    Eigen::Map<Eigen::VectorXd>(out, t.model.nv) = aba(t.model, *t.data, t.q, t.v, t.tau, Convention::LOCAL);
}
extern "C" void pinocchio_cholesky(void *self, const double *in, double *out)
{
    Twin &t = *static_cast<Twin *>(self);
    t.take(in);
    Eigen::Map<Eigen::VectorXd>(out, t.model.nv) =
        constraintDynamics(t.model, *t.data, t.q, t.v, t.tau, t.rows, t.datas, t.settings);
}
extern "C" void pinocchio_lcaba(void *self, const double *in, double *out)
{
    Twin &t = *static_cast<Twin *>(self);
    t.take(in);
    Eigen::Map<Eigen::VectorXd>(out, t.model.nv) =
        lcaba(t.model, *t.lcaba_data, t.q, t.v, t.tau, t.rows, t.lcaba_datas, t.penalty);
}
