//! The rules in Rego.

use std::hint::black_box;
use std::sync::Arc;

use regorus::languages::rego::compiler::Compiler;
use regorus::rvm::program::Program;
use regorus::rvm::vm::RegoVM;
use regorus::{Engine, Value};

const RULES: &str = include_str!("rules.rego");
const DENIED: &str = "data.portcullis.deny";

/// Both ways in which `regorus` judges.
pub(crate) struct Rego {
    engine: Engine,
    program: Arc<Program>,
}

impl Rego {
    /// With the rules so many times.
    pub(crate) fn new(times: usize) -> Rego {
        let mut engine = Engine::new();
        let (head, rules) = RULES.split_once("# The rules.").unwrap();
        let all: String = (0..times).map(|time| rules.replace("rule-", &format!("rule-{time}-"))).collect();
        engine.add_policy("rules.rego".to_owned(), format!("{head}\n{all}")).unwrap();
        let compiled = engine.compile_with_entrypoint(&DENIED.into()).unwrap();
        let program = Compiler::compile_from_policy(&compiled, &[DENIED]).unwrap();
        Rego { engine, program }
    }

    pub(crate) fn allows(&self, call: &str) -> bool {
        let mut engine = self.engine.clone();
        engine.set_input(Value::from_json_str(call).unwrap());
        is_empty(&engine.eval_rule(DENIED.to_owned()).unwrap())
    }

    pub(crate) fn machine_allows(&self, call: &str) -> bool {
        let mut machine = RegoVM::new();
        machine.load_program(Arc::clone(&self.program));
        machine.set_input(Value::from_json_str(call).unwrap());
        is_empty(&machine.execute().unwrap())
    }

    /// Judges a call, everything else made beforehand.
    pub(crate) fn judging(&self, call: &str) -> Box<dyn Fn()> {
        let engine = std::cell::RefCell::new(self.engine.clone());
        let input = Value::from_json_str(call).unwrap();
        Box::new(move || {
            let mut engine = engine.borrow_mut();
            engine.set_input(input.clone());
            black_box(engine.eval_rule(DENIED.to_owned()).unwrap());
        })
    }

    /// The same by its machine.
    pub(crate) fn judging_by_machine(&self, call: &str) -> Box<dyn Fn()> {
        let mut machine = RegoVM::new();
        machine.load_program(Arc::clone(&self.program));
        let machine = std::cell::RefCell::new(machine);
        let input = Value::from_json_str(call).unwrap();
        Box::new(move || {
            let mut machine = machine.borrow_mut();
            machine.set_input(input.clone());
            black_box(machine.execute().unwrap());
        })
    }
}

fn is_empty(denied: &Value) -> bool {
    denied.as_set().unwrap().is_empty()
}
