"""The engines that scripts/engines.py compares, the systems, and the texts of the page."""
from dataclasses import dataclass


def program(adapter):
    """Command that runs an adapter, in its folder."""
    return f"python3 {adapter}.py" if adapter == "gromacs" else f"./{adapter}"


@dataclass
class Engine:
    adapter: str  # examples/engines/ADAPTER.cpp or .py
    words: str
    name: str
    ours: str = ""  # our method with the same step, if any: on all systems, or on the systems `on`
    digits: int = 10  # least number of decimals in which both agree there
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
# Known deviations, explained in TEXT: least and largest difference, or none if the engine fails.
KNOWN = {**{("openmm", w, s): (1e-9, 1) for w in ("verlet", "velocity-verlet")
            for s in ("tethered-water", "hanging-chain", "four-bar", "chain-10", "chain-100")},
         ("gromacs", "md shake", "chain-100"): None, ("gromacs", "md-vv shake", "chain-100"): None}
# Engines with a falsified claim, and the system (all: "").
FALSIFIED = [("openmm", "four-bar"), ("openmm", "tethered-water"), ("simbody verlet", "")]
# System, largest step and time of the orders; step and time of the energy.
MEASURED = [("double-pendulum", "0.06", "1.2", "0.02", "100"), ("four-bar", "0.05", "1", "0.02", "100"),
            ("butane", "0.002", "0.1", "0.002", "20"), ("tethered-water", "0.002", "0.1", "0.002", "20")]
# Adapters that take mechanisms; mechanism, largest step and time of the orders: a tree of hinges, one with a
# ball, a loop.
BODIES = ("simbody", "mujoco", "ode", "bullet", "dart")
MECHANISMS = [("double-pendulum", "0.02", "0.6"), ("steady-precession", "0.2", "4"), ("slider-crank", "0.01", "0.3")]
# Mechanisms whose |g| is measured, and until when.
LONG = [("slider-crank", "1"), ("bricard", "1.5"), ("four-bar", "3")]
TOLERANCES = ["1e-3", "1e-6", "1e-9", "1e-12", None]


def chain(rods):
    """A zigzag chain of rods of length 1 below a pivot; its last point moves at the start."""
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
    "square": ("A square of rods with both diagonals, free and rotating: one redundant rod.", """particles:
  - {name: A, mass: 1, position: [0, 0], velocity: [0.3, 0.1]}
  - {name: B, mass: 2, position: [1, 0], velocity: [0.3, 0.6]}
  - {name: C, mass: 1, position: [1, 1], velocity: [-0.2, 0.6]}
  - {name: D, mass: 3, position: [0, 1], velocity: [-0.2, 0.1]}
rods: [[A, B], [B, C], [C, D], [D, A], [A, C], [B, D]]
"""),
    "flat": ("A parallelogram that is flat at 0.6 s, where another motion branches off.", """gravity: [0, -1]
fixed:
  - {name: A, position: [0, 0]}
  - {name: D, position: [2, 0]}
particles:
  - {name: B, mass: 1, position: [0.8, 0.6], velocity: [0.6, -0.8]}
  - {name: C, mass: 1, position: [2.8, 0.6], velocity: [0.6, -0.8]}
rods: [[A, B], [B, C], [D, C]]
""")}
TEXT = {
    "head": """# Engines compared

Compare LAMMPS, OpenMM, GROMACS, Simbody, MuJoCo, ODE, Bullet and DART with our methods, step by
step, on the same constrained systems. To repeat this with the engines that are installed, in about
ten minutes:

    ./bootstrap.sh engines

To run one of them on these systems or your own, see [engines](../guides/engines.md).
`scripts/engines.py` writes this page.
Versions: {versions}.

Every statement below is about these versions; later ones may differ. Most of the page covers points
with distance constraints, which all of these engines support; the last section has mechanisms.
Engines for molecules aim at speed and averages, where a bond error of 1e-4 does not matter; engines
for games and robots aim at stability at large steps with contacts and motors, which are not tested.

## Step by step

The largest difference of a coordinate or momentum after any step between an engine and the method
that its step should be, on the systems of `studies/systems/` and on chains of 10 and 100 rods, at
the tightest tolerance of either. *Italics*: the engine has another method there, because of the
rods (for LINCS, because of triangles, where GROMACS 2022.5 doubles its order, as its manual says).
*Refused*: the engine, or its adapter, does not support the system.
""",
    "differences": """
- **LAMMPS 20210929 and GROMACS 2022.5 are SHAKE and RATTLE** up to their tolerance; SETTLE and LINCS
  of GROMACS 2022.5 equal ours to round-off. Its RATTLE stops at velocities of 2 tolerance l²/h along a
  rod, which is looser for shorter steps.
- **SETTLE of OpenMM 7.7 stores lengths in single precision**, on the platform Reference too: distances
  of 0.1 and 0.1633 nm are kept at 0.10000000149 and 0.16329932213, so |g| = 9.7e-10 whatever the
  tolerance. With lengths that are exact in single precision, `rounded-water`, there is no such
  error.
- **CCMA of OpenMM 7.7 stops after 150 iterations without a message.** Chains and linkages, whose angles
  change, need more: |g| is 1e-8 to 1e-6 at a tolerance of 1e-12. Butane and decane, for which it is
  made, do not. With rods between second neighbours as well it returns NaN at any step:
  `shakedown simulate alkane …`.
- **SHAKE of GROMACS 2022.5 stops after 1000 sweeps**, writes a message and ends with status 0; 100
  rods need more, and fail here. After a failed solve of one molecule the later molecules are not solved
  in that step: `sed 's/        if wrong:/        if 0:/'` makes an adapter that shows it.
- **Simbody 3.7.0** projects as our `projection` does, but without masses, and the rods of **MuJoCo
  2.2.2** are soft; neither is SHAKE. Without rods, on `sprung`, they are the methods of their names.
- **ODE 0.16.2 and Bullet 3.24 take the same step**, which is none of ours: with the directions J of
  the rods at q0, v1 = v0 + h M⁻¹(F(q0) + Jᵀλ), J v1 = erp/h (l - r0), q1 = q0 + h v1.
- OpenMM 7.7 of Debian has no platform CPU: `openmm verlet CPU` fails with that reason.

## Claims of the engines

Claims are those of each engine's documentation (cited in the adapters) and have verdicts; other
entries have none. *Reversibility* is the distance from the start after a step, a reversal of
momenta, and another step. The slope of the energy is per time, of one run, with its standard error.
The last column is processor time of engine and adapter for the cheapest run whose error of q is at
most 1e-4, all measured in one run on a busy machine.
""",
    "measured": """
- **`VerletIntegrator` of Simbody 3.7.0 has order 2**; its header says "third order" and "symplectic", but
  with rods its energy drifts. `RungeKutta3Integrator` has the claimed order.
  `SemiExplicitEulerIntegrator`, "also known as … Symplectic Euler", has an energy that diverges.
- **MuJoCo 2.2.2 omits the centripetal acceleration of the rods** (its manual: the term "would cancel
  out"): the first multiplier of `pendulum` is 0.7999 in place of 1.05. Its manual says that rods
  are not kept. MuJoCo includes this term since 3.7.0 (April 2026), which is not measured here.
- **OpenMM 7.7 on `four-bar`**: the residual of CCMA gives its velocities order 1 in place of 2, and its
  energy a slope.
- **LINCS of GROMACS 2022.5 with velocity Verlet** has order 1 in p with order 8 and 4 corrections,
  since velocities get one pass; with 32 and 8 it is 2:
  `engine(command="python3 gromacs.py md-vv lincs 8 4")`.
- **The default cfm of ODE 0.16.2, 1e-10, is absolute**: with masses of 1e6 it is not small, and rods
  yield.

## Tolerance and residual

The largest |g| = ½ |r² - l²| at a given tolerance; 0 requests the tightest that the engine uses.
LINCS and SETTLE have no tolerance; ODE 0.16.2, `dantzig` of DART 6.12.1 and MuJoCo 2.2.2 do not use
it.
""",
    "failing": """
- **A tighter tolerance can give longer rods in Simbody 3.7.0**: a violation above the square root of the
  tolerance is not projected, and the step counts as valid. The adapter reads the count of such
  steps and fails.

## Singular systems

The largest |g| in 300 steps of 0.01, and the message of the engine or its adapter.
""",
    "mechanisms": """
## Mechanisms

Bodies and joints of `studies/mechanisms/`. *Order* of q on a tree of hinges, a top on a ball and a
spatial loop, in four halvings; *reactions*: the largest error of a joint's multiplier in that loop after 0.2 s
in steps of 0.001, relative to the largest (DART 6.12.1 and Bullet 3.24 report none); the largest |g| in steps of 0.005 of
that loop in 1 s, of Bricard's linkage, redundant in every position, and of a four-bar linkage that passes
through alignment.
""",
    "bodies": """
- **`RK4` of MuJoCo 2.2.2 has order 4 on hinges and guides, 2 with a ball or a free body**: it advances
  a quaternion by a weighted mean of angular velocities of several instants, as if rotations commuted.
- **Loops of MuJoCo 2.2.2 are soft**: on `tests/data/mjcf/slider-crank.xml` the difference from rigid joints
  after 0.4 s is 9e-3, 2.5e-3 and 6.5e-4 at time constants T of 0.04, 0.02 and 0.01 s, whatever the step:
  points yield by T² times the part J̇v of their acceleration, which this version omits (3.7.0 and
  later do not). `stiff` has T = 2h, hence order 2 in loops.
- **Guides of `btGeneric6DofConstraint` of Bullet 3.24 move wrongly by default**, with no convergence;
  `setUseFrameOffset(false)`, as the adapter calls, has order 1.
- ODE 0.16.2 with `erp=1 cfm=0` stops in the first step of the four-bar linkage, whose hinges are redundant;
  its defaults do not. `VerletIntegrator` of Simbody 3.7.0 does not converge at the alignment.
"""}
