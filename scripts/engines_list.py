"""The engines that scripts/engines.py compares, the systems, and what is said of them."""
from dataclasses import dataclass


def program(adapter):
    """What runs an adapter, in the folder it is in."""
    return f"python3 {adapter}.py" if adapter == "gromacs" else f"./{adapter}"


@dataclass
class Engine:
    adapter: str  # examples/engines/ADAPTER.cpp or .py
    words: str
    name: str
    ours: str = ""  # what its step is, if anything that runs here: on all systems, or on those of `on`
    digits: int = 10  # decimals in which both agree there at least
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
# What comes of what is said below: least and largest difference, or none where it fails.
KNOWN = {**{("openmm", w, s): (1e-9, 1) for w in ("verlet", "velocity-verlet")
            for s in ("tethered-water", "hanging-chain", "four-bar", "chain-10", "chain-100")},
         ("gromacs", "md shake", "chain-100"): None, ("gromacs", "md-vv shake", "chain-100"): None}
# Whose documentation's claims are falsified, on what (all systems: "").
FALSIFIED = [("openmm", "four-bar"), ("openmm", "tethered-water"), ("simbody verlet", "")]
# System, largest step and time of the orders; step and time of the energy.
MEASURED = [("double-pendulum", "0.06", "1.2", "0.02", "100"), ("four-bar", "0.05", "1", "0.02", "100"),
            ("butane", "0.002", "0.1", "0.002", "20"), ("tethered-water", "0.002", "0.1", "0.002", "20")]
TOLERANCES = ["1e-3", "1e-6", "1e-9", "1e-12", None]


def chain(rods):
    """A system of so many rods of length 1, hung zigzag from a pivot, whose last point moves."""
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
    "square": ("A square of rods with both diagonals, which swims and turns: one rod too many.", """particles:
  - {name: A, mass: 1, position: [0, 0], velocity: [0.3, 0.1]}
  - {name: B, mass: 2, position: [1, 0], velocity: [0.3, 0.6]}
  - {name: C, mass: 1, position: [1, 1], velocity: [-0.2, 0.6]}
  - {name: D, mass: 3, position: [0, 1], velocity: [-0.2, 0.1]}
rods: [[A, B], [B, C], [C, D], [D, A], [A, C], [B, D]]
"""),
    "flat": ("A parallelogram that lies flat after 0.6 s, where its other motion branches off.", """gravity: [0, -1]
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

Made by `scripts/engines.py`, which `./bootstrap.sh engines` runs; how to run one of them, on these systems or your
own, is in [engines](../guides/engines.md). Versions: {versions}.

None of these codes was made for what is asked here. Those for molecules want speed and temperatures that are right
on average, where a bond error of 1e-4 is of no account. Those for games and robots want to stay stable at large
steps with contacts and motors, which are not looked at. What is compared is what all of them do with points on rods.

## Step by step

The largest difference of a coordinate or momentum after any step between an engine and what its step should be,
on the systems of `studies/systems/` and on chains of 10 and 100 rods, at the tightest tolerance of either. In
*italics*: where it is another method, since there are rods (of LINCS, triangles, in which GROMACS takes twice its
order, as its manual has it). *Refused*: what the engine, or its adapter, cannot have.
""",
    "differences": """
- **LAMMPS and GROMACS are SHAKE and RATTLE** to what their tolerance leaves; GROMACS' SETTLE and LINCS are ours to
  round-off. Its RATTLE stops at velocities of 2 tolerance l²/h along a rod, which is looser for shorter steps.
- **OpenMM's SETTLE has the lengths of rods in single precision**, on the platform Reference too: rods of 0.1 and
  0.1633 nm are kept at 0.10000000149 and 0.16329932213, which is |g| = 9.7e-10 whatever the tolerance. With
  lengths that are numbers of single precision, `rounded-water`, nothing is lost.
- **OpenMM's CCMA stops after 150 iterations and says nothing.** Chains and linkages, whose angles change, are
  beyond them: |g| is 1e-8 to 1e-6 where 1e-12 was asked. Butane and decane, which it is made for, are not. Rods
  between second neighbours, too, it answers with NaN, at any step: `shakedown simulate alkane …`.
- **GROMACS' SHAKE stops after 1000 sweeps**, writes so and ends with status 0; 100 rods are beyond them, and fail
  here. Where one molecule's solve fails, those after it are not solved in that step at all:
  `sed 's/        if wrong:/        if 0:/'` makes an adapter that shows it.
- **Simbody** projects as our `projection` does, but without masses; **MuJoCo**'s rods are soft; neither is SHAKE.
  Where there are no rods, `sprung`, they are what they are called.
- **ODE and Bullet take one and the same step**, which is none of ours: with the directions J of the rods at q0,
  v1 = v0 + h M⁻¹(F(q0) + Jᵀλ), J v1 = erp/h (l - r0), q1 = q0 + h v1.
- Debian's OpenMM has no platform CPU: `openmm verlet CPU` fails with that reason.

## What is claimed, and what is not

Claims are those of each engine's documentation (the adapters cite it), and have verdicts; the rest has none.
*Reversibility* is the distance from the start after a step, momenta reversed, and another. The slope of the
energy is per time, of one run, with its standard error. Seconds of the processor, of the engine itself and its
adapter, are those of the cheapest run whose error of q is at most 1e-4, all measured in one run on a busy machine.
""",
    "measured": """
- **Simbody's `VerletIntegrator` has order 2**; its header says "third order", and "symplectic": with rods its energy
  drifts. `RungeKutta3Integrator` holds what it says. `SemiExplicitEulerIntegrator`, "also known as … Symplectic
  Euler", has an energy that runs away.
- **MuJoCo leaves out the rods' centripetal acceleration** (its manual: the term "would cancel out"): the first
  multiplier of `pendulum` is 0.7999, the right one 1.05. That its rods are not kept is what its manual says.
- **OpenMM on `four-bar`**: what CCMA leaves gives its velocities order 1 in place of 2, and its energy a slope.
- **GROMACS' LINCS with velocity Verlet** has order 1 in p with order 8 and 4 corrections, since velocities get one
  pass; with 32 and 8 it is 2: `engine(command="python3 gromacs.py md-vv lincs 8 4")`.
- **ODE's default cfm of 1e-10 is absolute**: with masses of 1e6 it is no longer small, and rods give way.

## The tolerance, and what is left of the rods

The largest |g| = ½ |r² - l²| where the engine is told this tolerance; 0 asks for the tightest it makes use of.
LINCS and SETTLE have none, ODE, DART's `dantzig` and MuJoCo do not use it.
""",
    "failing": """
- **A tighter tolerance can leave longer rods in Simbody**: what is off by more than the root of the tolerance is
  not projected, and the step counts. The adapter asks for the count of such steps and fails.

## Where it cannot work

The largest |g| of 300 steps of 0.01, and what the engine or its adapter says.
"""}
