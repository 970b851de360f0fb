"""The engines that scripts/engines.py compares, and the systems on which it compares them."""
from dataclasses import dataclass


def program(adapter):
    """Returns the command that runs an adapter in its folder."""
    return f"python3 {adapter}.py" if adapter == "gromacs" else f"./{adapter}"


@dataclass
class Engine:
    adapter: str  # examples/engines/ADAPTER.cpp or .py
    words: str
    name: str
    ours: str = ""  # our method with the same step, if any, on the systems in `on` or, if `on` is empty, on all
    digits: int = 10  # minimum number of decimal places to which the two methods agree on these systems
    on: tuple = ()

    def integrator(self, tolerance=None):
        more = f",tolerance={tolerance}" if tolerance else ""
        return f'engine(command="{program(self.adapter)} {self.words}"{more})'


CENTRAL = "shake(momentum=central)"
BULLET = Engine("bullet", "dantzig erp=1", "Bullet, `btDantzigSolver`", 'engine(command="./ode step erp=1 cfm=0")', 12)
ENGINES = [Engine("lammps", "shake", "LAMMPS, `fix shake`", CENTRAL, 12),
           Engine("lammps", "rattle", "LAMMPS, `fix rattle`", "rattle", 12),
           Engine("openmm", "verlet", "OpenMM, `VerletIntegrator`", CENTRAL),
           Engine("openmm", "velocity-verlet", "OpenMM, velocity Verlet", "rattle"),
           Engine("gromacs", "md shake", "GROMACS, `md`, SHAKE", CENTRAL),
           Engine("gromacs", "md-vv shake", "GROMACS, `md-vv`, SHAKE", "rattle"),
           Engine("gromacs", "md-vv settle", "GROMACS, `md-vv`, SETTLE", "rattle", 11),
           Engine("gromacs", "md-vv lincs 4 1", "GROMACS, `md-vv`, LINCS 4, 1", "rattle(solver=lincs(order=4,corrections=1))",
                  11, ("pendulum", "double-pendulum", "four-bar", "hanging-chain", "chain-10", "chain-100", "dimers",
                       "butane", "decane")),
           Engine("simbody", "verlet", "Simbody, `VerletIntegrator`", "rattle", 12, ("sprung",)),
           Engine("simbody", "runge-kutta3", "Simbody, `RungeKutta3Integrator`", "projection(base=rk3)", 12, ("sprung",)),
           Engine("simbody", "semi-explicit-euler", "Simbody, `SemiExplicitEulerIntegrator`",
                  "symplectic-euler-rattle", 12, ("sprung",)),
           Engine("mujoco", "Euler", "MuJoCo, `Euler`", "symplectic-euler-rattle", 12, ("sprung",)),
           Engine("mujoco", "RK4", "MuJoCo, `RK4`", "projection(base=rk4)", 12, ("sprung",)),
           Engine("ode", "step", "ODE, `dWorldStep`, as it comes"),
           Engine("ode", "step erp=1 cfm=0", "ODE, `dWorldStep`", BULLET.integrator(), 12),
           Engine("bullet", "sequential", "Bullet, sequential impulses, as they come"), BULLET,
           Engine("dart", "dantzig erp=1", "DART")]
SYSTEMS = [("sprung", "0.005", "2"), ("pendulum", "0.05", "5"), ("double-pendulum", "0.02", "2"),
           ("four-bar", "0.02", "2"), ("hanging-chain", "0.02", "2"), ("chain-10", "0.01", "1"), ("chain-100", "0.01", "0.6"), ("dimers", "0.005", "2"),
           ("tethered-water", "0.002", "0.4"), ("rounded-water", "0.002", "0.4"), ("butane", "0.002", "0.4"),
           ("decane", "0.002", "0.4")]
# Known deviations, which the page explains: smallest and largest difference, or None if the engine fails.
KNOWN = {**{("openmm", w, s): (1e-9, 1) for w in ("verlet", "velocity-verlet")
            for s in ("tethered-water", "hanging-chain", "four-bar", "chain-10", "chain-100")},
         ("gromacs", "md shake", "chain-100"): None, ("gromacs", "md-vv shake", "chain-100"): None}
# Engines with a falsified claim, and the system on which it fails ("" means all systems).
FALSIFIED = [("openmm", "four-bar"), ("openmm", "tethered-water"), ("simbody verlet", "")]
# System; largest step and end time for orders; step and end time for the energy.
MEASURED = [("double-pendulum", "0.06", "1.2", "0.02", "100"), ("four-bar", "0.05", "1", "0.02", "100"),
            ("butane", "0.002", "0.1", "0.002", "20"), ("tethered-water", "0.002", "0.1", "0.002", "20")]
# Adapters that support mechanisms. Each mechanism is given with the largest step and the end time for orders: a
# tree with hinges, a tree with a ball joint, and a loop.
BODIES = ("simbody", "mujoco", "ode", "bullet", "dart")
MECHANISMS = [("double-pendulum", "0.02", "0.6"), ("steady-precession", "0.2", "4"), ("slider-crank", "0.01", "0.3")]
# Mechanisms for which |g| is measured, and the end time of the run.
LONG = [("slider-crank", "1"), ("bricard", "1.5"), ("four-bar", "3")]
TOLERANCES = ["1e-3", "1e-6", "1e-9", "1e-12", None]


def chain(rods):
    """Returns a zigzag chain of rods of length 1 below a pivot. Only its last point moves at the start."""
    x, y, points = 0.0, 0.0, ""
    for i in range(1, rods + 1):
        x, y = (x + 0.6, y - 0.8) if i % 2 else (x + 0.8, y - 0.6)
        speed = ", velocity: [%s]" % ("0.4, 0.3" if i % 2 else "0.3, 0.4") if i == rods else ""
        points += f"  - {{name: p{i}, mass: 1, position: [{x:.1f}, {y:.1f}]{speed}}}\n"
    joins = "".join(f"  - [p{i}, p{i + 1}]\n" for i in range(1, rods))
    return ("gravity: [0, -1]\nfixed:\n  - {name: pivot, position: [0, 0]}\nparticles:\n" + points +
            "rods:\n  - [pivot, p1]\n" + joins)


CHAINS = {"chain-10": chain(10), "chain-100": chain(100)}
FAILING = {
    "square": ("A freely rotating square of rods has rods along both diagonals, so one rod is redundant:", """particles:
  - {name: A, mass: 1, position: [0, 0], velocity: [0.3, 0.1]}
  - {name: B, mass: 2, position: [1, 0], velocity: [0.3, 0.6]}
  - {name: C, mass: 1, position: [1, 1], velocity: [-0.2, 0.6]}
  - {name: D, mass: 3, position: [0, 1], velocity: [-0.2, 0.1]}
rods: [[A, B], [B, C], [C, D], [D, A], [A, C], [B, D]]
"""),
    "flat": ("A parallelogram becomes flat at 0.6 s, where another motion branches off:", """gravity: [0, -1]
fixed:
  - {name: A, position: [0, 0]}
  - {name: D, position: [2, 0]}
particles:
  - {name: B, mass: 1, position: [0.8, 0.6], velocity: [0.6, -0.8]}
  - {name: C, mass: 1, position: [2.8, 0.6], velocity: [0.6, -0.8]}
rods: [[A, B], [B, C], [D, C]]
""")}
