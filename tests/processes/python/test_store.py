"""Stores as tables: what `shakedown show` prints, with numbers as numbers."""

import numpy as np
import pandas as pd
import pytest
import shakedown
from shakedown.store import VERDICTS, frame_of


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    study = {"study": "tables", "runs": [{
        "problems": ["sprung-pendulum"], "integrators": ["rattle", "shake"],
        "steps": {"largest": 0.1, "halvings": 4}, "until": 1,
        "measures": ["order", "energy", "constraint"]}]}
    return shakedown.run(study, store=str(tmp_path_factory.mktemp("s") / "tables.db"), progress=False)


def test_findings(store):
    found = store.findings
    order = found[(found.integrator == "rattle") & (found.quantity == "order of q")].iloc[0]
    assert abs(order.value - 2) < order.expected_band and order.expected_value == 2
    assert order.verdict == "held" and order.uncertainty > 0
    assert found.verdict.dtype == pd.CategoricalDtype(VERDICTS, ordered=True)
    assert (store.verdicts().loc["rattle", "held"] > 5) and found.value.dtype == float


def test_errors_fall_with_the_step(store):
    errors = store.errors
    errors = errors[(errors.integrator == "rattle") & (errors.block == "q") & (errors.time == 1)]
    slope = np.polyfit(np.log(errors.step), np.log(errors.error), 1)[0]
    assert len(errors) == 5 and abs(slope - 2) < 0.05


def test_work_and_series(store):
    work = store.work[store.work.integrator == "rattle"].set_index("step")
    assert work.steps[0.1] == 10 and work.gradient[0.05] >= 20
    series = store.series[store.series.series == "energy-error"]
    assert (series.least <= series["mean"]).all() and (series["mean"] <= series.largest).all()


def test_blobs(store):
    q = store.blob("q", integrator="rattle", step=0.1)
    assert q.dtype == float and q.shape[1] == 2 and len(q) > 2
    assert np.allclose(np.hypot(q[:, 0], q[:, 1]), 1, atol=1e-14)
    ends, least, mean, largest = store.blob("energy-error", integrator="shake", step=0.05)
    assert len(ends) == 20 and ends[-1] == 1 and (least <= mean).all() and (mean <= largest).all()
    for name in ("constraint", "energy-error"):
        shown = store.series[(store.series.series == name) & (store.series.integrator == "shake")
                             & (store.series.step == 0.025)]
        rows = store.blob(name, integrator="shake", step=0.025)
        assert np.allclose(rows, shown[["time", "least", "mean", "largest"]].to_numpy().T, rtol=1e-12, atol=0)
        assert rows.shape == (4, 40)
    assert (store.blob("q", integrator="rattle", step="0.1") == q).all()
    assert store.blob("q", until=np.int64(1)).shape[1] == 2
    with pytest.raises(KeyError, match="no q of a cell with integrator=rattle, step=0.3; it contains .*energy-error"):
        store.blob("q", integrator="rattle", step=0.3)
    with pytest.raises(TypeError, match="step: found"):
        store.blob("q", step=[0.1])
    with pytest.raises(TypeError):
        store.blob("q", color="red")


def test_text(store):
    """Verdicts of each method, and what is not held."""
    text = str(store)
    assert store.path in text and "held" in text
    for row in store.findings.dropna(subset=["verdict"]).itertuples():
        assert row.integrator in text
        assert row.verdict == "held" or "%s: %s" % (row.verdict, row.quantity) in text


def test_html(store):
    page = store._repr_html_()
    assert page.count("<tr") > 5 and "held</b>" in page and "shake" in page


def test_plot(store):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = store.plot("q")
    assert len(axes.get_lines()) == 2 and axes.get_xlabel() == "step"
    assert len(store.plot("energy-error-max").get_lines()) == 2
    with pytest.raises(shakedown.Failure):
        store.plot("nonsense")


def test_words_are_no_numbers():
    frame = frame_of("value,verdict,step\n1.5,held,0.1\nbounded,,\n,falsified,0.2\n")
    assert frame.value[0] == 1.5 and np.isnan(frame.value[1]) and frame.word[1] == "bounded"
    assert list(frame.verdict.cat.codes) == [0, -1, 1] and frame.step[2] == 0.2


def test_what_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no store: .*none.db"):
        shakedown.read(tmp_path / "none.db")
    (tmp_path / "no.db").write_text("no store")
    with pytest.raises(ValueError, match="no.db"):
        shakedown.read(tmp_path / "no.db").findings


def test_reasons_of_a_claim():
    """By any of its names; a name that the certificate does not have is an error."""
    table = frame_of("integrator,claim,stated,problem,verdict,reason\n"
                     "mine,order of q,2,pendulum,falsified,too low\nmine,symplectic,yes,pendulum,held,\n")
    found = shakedown.Certificate(table, 1)
    assert found.reasons("order of q") == found.reasons("order_q") == found.reasons() == [
        "falsified order of q: too low (on pendulum)"]
    assert found.reasons("symplectic") == [] and not found.held
    with pytest.raises(KeyError, match="does not contain the claim 'order_z'; it contains order of q, symplectic"):
        found.reasons("order_z")


def test_a_claim_is_decided_where_it_is_held():
    """As the program says, and only claims that a class can make are proposed."""
    table = frame_of("integrator,claim,stated,problem,verdict,reason\n" + "".join(
        "mine,%s,%s,pendulum,%s,\n" % row for row in (
            ("symplectic", "yes", "undecided"), ("symplectic", "yes", "held"), ("order of q", "2", "held"),
            ("order of q", "2", "falsified"), ("symmetric", "no", "undecided"), ("fibre identity", "yes", "held"))))
    found = shakedown.Certificate(table, 1)
    assert dict(zip(found.claims.claim, found.claims.verdict)) == {
        "symplectic": "held", "order of q": "falsified", "symmetric": "undecided", "fibre identity": "held"}
    assert found.as_claims() == "symplectic = True\n"
