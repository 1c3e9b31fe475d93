"""The mechanisms of specs in Pinocchio and MuJoCo."""
