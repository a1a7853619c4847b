//! Scratch.
use portcullis_consentbench::*;
use std::time::Instant;
fn main() {
    let start = Instant::now();
    let clock = || start.elapsed();
    let bench = Workbench::new(&clock).unwrap();
    let mut all = Vec::new();
    let mut times = Vec::new();
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file).unwrap();
        let (traces, errors) = traces(&text);
        for e in errors {
            println!("{file}: {e}");
        }
        for trace in traces {
            match bench.replay(&trace) {
                Ok(done) => {
                    for (n, (s, d)) in trace.steps.iter().zip(&done.steps).enumerate() {
                        times.push(d.took);
                        if s.expected != d.decision && s.violates.is_none() && !s.must_ask {
                            println!(
                                "{}#{} {}.{} {} exp {:?} got {:?}\n    {:?}->{:?} {:?}\n    {:?}\n    {:?}",
                                trace.id,
                                n + 1,
                                s.server,
                                s.tool,
                                s.arguments,
                                s.expected,
                                d.decision,
                                s.input,
                                s.output,
                                s.effects,
                                d.acts,
                                d.reasons
                            );
                        }
                        if d.is_overgranted {
                            println!("OVER {}#{}", trace.id, n + 1);
                        }
                    }
                    let decisions: Vec<_> = done.steps.iter().map(|s| s.decision).collect();
                    all.push((trace, decisions));
                }
                Err(e) => println!("{}: {e}", trace.id),
            }
        }
    }
    let f = score(all.iter().map(|(t, d)| Measured { trace: t, decisions: d }));
    println!("{:?}", f.all);
    println!(
        "acc {} trace {} p {} r {} f1 {} benign {} bound {} inv {}",
        f.all.step_accuracy(),
        f.all.trace_accuracy(),
        f.all.precision(),
        f.all.recall(),
        f.all.f1(),
        f.all.benign_auto_permit(),
        f.all.bound_recall(),
        f.all.invariant_recall()
    );
    println!("{:?}", Times::of(times));
}
