//! What hosts are, which domains look like others, and where a glob begins.

use portcullis_perceive::network::{Host, HostKind, Resemblance, look_alike};
use portcullis_perceive::paths::{Family, glob};

#[test]
fn hosts_are_of_the_kind_that_they_lead_to() {
    let kinds = [
        ("localhost", HostKind::Loopback),
        ("api.localhost", HostKind::Loopback),
        ("notlocalhost", HostKind::Unqualified),
        ("127.9.9.9", HostKind::Loopback),
        ("0x7f000001", HostKind::Loopback),
        ("[::1]", HostKind::Loopback),
        ("[::ffff:127.0.0.1]", HostKind::Loopback),
        ("0.0.0.0", HostKind::Unspecified),
        ("0", HostKind::Unspecified),
        ("[::]", HostKind::Unspecified),
        ("10.1.2.3", HostKind::Private),
        ("172.16.0.1", HostKind::Private),
        ("172.32.0.1", HostKind::Public),
        ("192.168.1.1", HostKind::Private),
        ("[fd12::1]", HostKind::Private),
        ("100.64.0.1", HostKind::Shared),
        ("169.254.1.1", HostKind::LinkLocal),
        ("[fe80::1]", HostKind::LinkLocal),
        ("printer.local", HostKind::LinkLocal),
        ("169.254.169.254", HostKind::Metadata),
        ("0xa9fea9fe", HostKind::Metadata),
        ("[::ffff:169.254.169.254]", HostKind::Metadata),
        ("[64:ff9b::a9fe:a9fe]", HostKind::Metadata),
        ("[fd00:ec2::254]", HostKind::Metadata),
        ("Metadata.Google.Internal.", HostKind::Metadata),
        ("[2002:7f00:1::]", HostKind::Loopback),
        ("wiki", HostKind::Unqualified),
        ("db.corp.internal", HostKind::Unqualified),
        ("acme.com", HostKind::Public),
        ("8.8.8.8", HostKind::Public),
        ("[2606:4700::1111]", HostKind::Public),
    ];
    for (text, kind) in kinds {
        assert_eq!(Host::parse(text).unwrap().kind(), kind, "{text}");
    }
}

#[test]
fn public_suffixes_are_for_names_alone() {
    let host = Host::parse("www.Acme.co.uk").unwrap();
    assert_eq!((host.registrable_domain(), host.public_suffix()), (Some("acme.co.uk"), Some("co.uk")));
    let pages = Host::parse("ann.github.io").unwrap();
    assert_eq!(pages.registrable_domain(), Some("ann.github.io"), "anybody gets a name under github.io");
    let suffix = Host::parse("co.uk").unwrap();
    assert_eq!(suffix.registrable_domain(), None, "nobody registered a suffix");
    for address in ["127.0.0.1", "[::1]"] {
        let host = Host::parse(address).unwrap();
        assert_eq!((host.registrable_domain(), host.public_suffix()), (None, None), "{address}");
    }
}

#[test]
fn a_domain_that_looks_like_a_known_one_is_told() {
    let known = ["acme.com", "microsoft.com", "x.io"];
    let alike = [
        ("acme.com.evil.io", "acme.com", Resemblance::InFront),
        ("login.acme.com.evil.io", "acme.com", Resemblance::InFront),
        ("acrne.com", "acme.com", Resemblance::Confusable),
        ("\u{430}cme.com", "acme.com", Resemblance::Confusable),
        ("micr0soft.com", "microsoft.com", Resemblance::Confusable),
        ("acme-login.com", "acme.com", Resemblance::Hyphenated),
        ("acme-com.net", "acme.com", Resemblance::Hyphenated),
        ("backup.acme-com.net", "acme.com", Resemblance::Hyphenated),
        ("ac-me.com", "acme.com", Resemblance::Hyphenated),
        ("acme.co", "acme.com", Resemblance::OtherSuffix),
        ("acmme.com", "acme.com", Resemblance::Edited(1)),
        ("amce.com", "acme.com", Resemblance::Edited(1)),
        ("mircosofft.com", "microsoft.com", Resemblance::Edited(2)),
    ];
    for (domain, like, resemblance) in alike {
        let found = look_alike(domain, &known).map(|found| (found.known, found.resemblance));
        assert_eq!(found, Some((like, resemblance)), "{domain}");
    }
    for domain in
        ["acme.com", "mail.acme.com", "ACME.com.", "example.org", "y.net", "127.0.0.1", "no host", "ape.com"]
    {
        assert_eq!(look_alike(domain, &known), None, "{domain}");
    }
}

#[test]
fn a_glob_stays_in_its_folder_unless_it_climbs() {
    let unix = |text| glob(text, Family::Unix).map(|glob| (glob.folder, glob.climbs));
    assert_eq!(unix("src/a.rs"), None);
    assert_eq!(unix("src/*.rs"), Some(("src", false)));
    assert_eq!(unix("/home/u/p/**/x"), Some(("/home/u/p", false)));
    assert_eq!(unix("*.rs"), Some((".", false)));
    assert_eq!(unix("/*"), Some(("/", false)));
    assert_eq!(unix("src/a{b,c}/d"), Some(("src", false)));
    assert_eq!(unix("src/*/../../../etc"), Some(("src", true)));
    assert_eq!(unix("src/{..,a}/x"), Some(("src", true)));
    assert_eq!(unix("../x/[ab]"), Some(("../x", false)), "dots before the glob are part of the folder");
    assert_eq!(unix(r"a\*"), Some((".", false)), "an escape may or may not be one");
    let windows = |text| glob(text, Family::Windows).map(|glob| (glob.folder, glob.climbs));
    assert_eq!(windows(r"C:\x\*.txt"), Some((r"C:\x", false)));
    assert_eq!(windows(r"C:\*"), Some((r"C:\", false)));
    assert_eq!(windows("C:*.txt"), Some(("C:", false)), "which has no name, as it should");
    assert_eq!(windows(r"x\*\..\..\y"), Some(("x", true)));
}
