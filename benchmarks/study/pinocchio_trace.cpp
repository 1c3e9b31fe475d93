// Operations that CasADi counts in its trace of Pinocchio's aba on space_chain: local and world axes, plain and after cse.
// With P the prefix of Pinocchio's wheel (cmeel.prefix) and C the folder of CasADi's:
//   g++ -std=c++17 -O0 -w -DNDEBUG -DBOOST_MPL_LIMIT_LIST_SIZE=30 -DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS -I$P/include
//       -I$C/include -I$C/include/eigen3 pinocchio_trace.cpp -o trace -L$P/lib -L$C -Wl,-rpath,$P/lib:$C
//       -lpinocchio_default -lcasadi && ./trace 2 4 8
#include <pinocchio/autodiff/casadi.hpp>
#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <cstdio>
#include <cstdlib>
using namespace pinocchio;
typedef ::casadi::SX S; typedef ModelTpl<S> AModel; typedef DataTpl<S> AData;
int main(int c,char**a){ for(int k=1;k<c;++k){int n=atoi(a[k]); Model m; m.gravity.setZero(); Eigen::Matrix3d I=Eigen::Vector3d(.05/12,1.01/12,1.04/12).asDiagonal();
 auto at=m.addJoint(0,JointModelFreeFlyer(),SE3::Identity(),"j0"); m.appendBodyToJoint(at,Inertia(1,Eigen::Vector3d(0,0,0),I),SE3::Identity());
 for(int j=1;j<n;++j){ SE3 p(Eigen::Matrix3d::Identity(),Eigen::Vector3d(j==1?.5:1.,0,0)); std::string s="j"+std::to_string(j); at=j%2?m.addJoint(at,JointModelRY(),p,s):m.addJoint(at,JointModelRZ(),p,s); m.appendBodyToJoint(at,Inertia(1,Eigen::Vector3d(.5,0,0),I),SE3::Identity());}
 AModel am=m.cast<S>(); 
 for(int w=0;w<2;++w){ AData ad(am); S q=S::sym("q",m.nq),v=S::sym("v",m.nv); Eigen::Matrix<S,-1,1> eq(m.nq),ev(m.nv),et(m.nv); 
 for(int i=0;i<m.nq;++i)eq[i]=q(i); for(int i=0;i<m.nv;++i){ev[i]=v(i);et[i]=0;}
 if(w)aba(am,ad,eq,ev,et,Convention::WORLD);else aba(am,ad,eq,ev,et,Convention::LOCAL); S out(m.nv,1); for(int i=0;i<m.nv;++i)out(i)=ad.ddq[i];
 ::casadi::Function raw("f",{q,v},{out}), f("f",{q,v},{S::cse({out})[0]}); for(auto&g:{raw,f}){int o=0; for(int i=0;i<g.n_instructions();++i){auto d=g.instruction_id(i); if(d!=::casadi::OP_INPUT&&d!=::casadi::OP_OUTPUT&&d!=::casadi::OP_CONST&&d!=::casadi::OP_PARAMETER&&d!=::casadi::OP_NEG&&d!=::casadi::OP_ASSIGN)++o;} printf("%d %s %d\n",n,w?"world":"local",o);}}}}
