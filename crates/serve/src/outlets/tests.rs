use proptest::prelude::*;

use super::*;

fn answer(id: i64) -> Vec<u8> {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#).into_bytes()
}

fn progress(token: i64, step: usize) -> Vec<u8> {
    let params = format!(r#"{{"progressToken":{token},"progress":{step}}}"#);
    format!(r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{params}}}"#).into_bytes()
}

fn news(number: usize) -> Vec<u8> {
    format!(r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{{"data":{number}}}}}"#)
        .into_bytes()
}

fn heard(inlet: &mut Inlet) -> Vec<Sent> {
    let mut context = Context::from_waker(std::task::Waker::noop());
    std::iter::from_fn(|| match inlet.poll(&mut context) {
        Poll::Ready(sent) => sent,
        Poll::Pending => None,
    })
    .collect()
}

fn texts(sent: &[Sent]) -> Vec<Vec<u8>> {
    sent.iter().map(|sent| sent.message.clone()).collect()
}

#[test]
fn answers_and_progress_go_to_their_requests() {
    let mut outlets = Outlets::new(Keeping::Kept);
    let (_, mut one) = outlets.open(vec![Id::integer(1)], Some("7".to_owned()));
    let (_, mut two) = outlets.open(vec![Id::integer(2)], Some("8".to_owned()));
    outlets.deliver(progress(7, 1), None);
    outlets.deliver(answer(2), None);
    outlets.deliver(progress(7, 2), None);
    outlets.deliver(answer(1), None);
    let (one, two) = (heard(&mut one), heard(&mut two));
    assert_eq!(texts(&one), [progress(7, 1), progress(7, 2), answer(1)]);
    assert_eq!(texts(&two), [answer(2)]);
    assert_eq!(one.iter().map(|sent| sent.is_last).collect::<Vec<_>>(), [false, false, true]);
    assert!(!outlets.waits_for(&Id::integer(1)) && !outlets.waits_for(&Id::integer(2)));
}

#[test]
fn a_second_answer_goes_nowhere() {
    let mut outlets = Outlets::new(Keeping::Kept);
    let (_, mut one) = outlets.open(vec![Id::integer(1)], None);
    let (_, mut standing) = outlets.stand().unwrap();
    outlets.deliver(answer(1), None);
    outlets.deliver(answer(1), None);
    assert_eq!(heard(&mut one).len(), 1);
    assert!(heard(&mut standing).is_empty());
}

#[test]
fn what_belongs_to_no_request_waits_for_whoever_listens() {
    let mut outlets = Outlets::new(Keeping::Kept);
    outlets.deliver(news(1), None);
    let (_, mut standing) = outlets.stand().unwrap();
    outlets.deliver(news(2), None);
    assert_eq!(texts(&heard(&mut standing)), [news(1), news(2)]);
    drop(standing);
    outlets.deliver(news(3), None);
    let (_, mut again) = outlets.stand().unwrap();
    assert_eq!(texts(&heard(&mut again)), [news(3)]);
}

#[test]
fn what_a_server_said_about_a_request_goes_there_though_somebody_listens() {
    let mut outlets = Outlets::new(Keeping::Kept);
    let (_, mut standing) = outlets.stand().unwrap();
    let (_, mut one) = outlets.open(vec![Id::integer(1)], None);
    outlets.deliver(news(1), Some(&Id::integer(1)));
    outlets.deliver(news(2), None);
    assert_eq!(texts(&heard(&mut one)), [news(1)]);
    assert_eq!(texts(&heard(&mut standing)), [news(2)]);
}

#[test]
fn a_batch_ends_with_its_last_answer() {
    let mut outlets = Outlets::new(Keeping::Kept);
    let (_, mut both) = outlets.open(vec![Id::integer(1), Id::integer(2)], None);
    let batch = [b"[".as_slice(), &answer(1), b",", &answer(2), b"]"].concat();
    outlets.deliver(batch.clone(), None);
    let heard = heard(&mut both);
    assert_eq!(texts(&heard), [batch]);
    assert!(heard.first().unwrap().is_last);
}

#[test]
fn without_sessions_nothing_is_kept_and_the_request_can_be_taken_back() {
    let mut outlets = Outlets::new(Keeping::NotKept);
    let (stream, one) = outlets.open(vec![Id::text("a")], None);
    drop(one);
    assert_eq!(outlets.forget(stream), [Id::text("a")]);
    assert!(outlets.forget(stream).is_empty());
    assert!(!outlets.is_used());
    let (stream, mut two) = outlets.open(vec![Id::text("b")], None);
    outlets.deliver_to(&Id::text("b"), Part::News, news(1));
    outlets.deliver_to(&Id::text("b"), Part::Answer, answer(1));
    assert_eq!(texts(&heard(&mut two)), [news(1), answer(1)]);
    assert!(outlets.resume(stream, 0).is_none());
}

#[test]
fn who_reads_slowly_gets_the_answer_whatever_was_told_before() {
    let mut outlets = Outlets::new(Keeping::NotKept);
    let (_, mut slow) = outlets.open(vec![Id::integer(1)], Some("7".to_owned()));
    for step in 0..MOST_UNREAD / 50 {
        outlets.deliver_to(&Id::integer(1), Part::News, progress(7, step));
    }
    outlets.deliver_to(&Id::integer(1), Part::Answer, answer(1));
    let heard = heard(&mut slow);
    assert!(heard.iter().map(|sent| sent.message.len()).sum::<usize>() <= MOST_UNREAD + 100);
    assert_eq!(heard.last().unwrap().message, answer(1));
}

#[test]
fn what_is_done_is_forgotten_in_time() {
    let mut outlets = Outlets::new(Keeping::Kept);
    for id in 0..200 {
        let (_, receiver) = outlets.open(vec![Id::integer(id)], None);
        drop(receiver);
        outlets.deliver(answer(id), None);
    }
    assert!(outlets.streams.len() <= MOST_DONE + 1);
    assert!(outlets.of_request.is_empty());
}

proptest! {
    #[test]
    fn a_host_that_comes_back_hears_everything_once(
        steps in 0..40_usize,
        cuts in proptest::collection::vec(0..40_usize, 0..5),
    ) {
        let mut outlets = Outlets::new(Keeping::Kept);
        let (stream, mut receiver) = outlets.open(vec![Id::integer(1)], Some("7".to_owned()));
        let mut all = Vec::new();
        for step in 0..steps {
            outlets.deliver(progress(7, step), None);
            if cuts.contains(&step) {
                all.extend(heard(&mut receiver));
                // The last of what it read is where it goes on from.
                let last = all.last().map_or(0, |sent: &Sent| sent.event);
                receiver = outlets.resume(stream, last).unwrap();
            }
        }
        outlets.deliver(answer(1), None);
        all.extend(heard(&mut receiver));
        let expected: Vec<_> = (0..steps).map(|step| progress(7, step)).chain([answer(1)]).collect();
        prop_assert_eq!(texts(&all), expected);
    }

}

proptest! {
    // Each case moves megabytes.
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn a_stream_takes_no_more_room_than_stated(count in 1..12_usize, size in 1..2_000_000_usize) {
        let mut outlets = Outlets::new(Keeping::Kept);
        let (stream, receiver) = outlets.open(vec![Id::integer(1)], Some("7".to_owned()));
        drop(receiver);
        for _ in 0..count {
            let params = format!(r#"{{"progressToken":7,"message":"{}"}}"#, "x".repeat(size));
            let message = format!(r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{params}}}"#);
            outlets.deliver(message.into_bytes(), None);
        }
        let outlet = outlets.streams.get(&stream).unwrap();
        prop_assert!(outlet.kept_bytes <= MOST_KEPT);
        prop_assert_eq!(outlet.kept_bytes, outlet.kept.iter().map(|sent| sent.message.len()).sum::<usize>());
    }
}
