package portcullis

import rego.v1

# The rules.
deny contains "rule-1" if { "mail" in input.did; some o in input.outputs; o.host != "acme.com" }
deny contains "rule-2" if { some w in input.writes; not startswith(w, "/home/u/p/docs/") }
deny contains "rule-3" if { "deploy" in input.did; input.now.day == 4 }
deny contains "rule-4" if { "hr" in input.labels; some o in input.outputs; not startswith(o.name, "/") }
deny contains "rule-5" if { "sudo" in input.did }
deny contains "rule-6" if { "install" in input.did }
deny contains "rule-7" if { some r in input.resources; endswith(r, "/journal.md") }
deny contains "rule-8" if { "force push" in input.did }
deny contains "rule-9" if { "push" in input.did; some b in input.branches; b == "release" }
deny contains "rule-10" if { some r in input.reads; startswith(r, "/home/u/p/private/") }
deny contains "rule-11" if { some s in input.statements; s.kind in {"update", "delete"}; not s.filtered }
deny contains "rule-12" if { some o in input.resources; contains(o, "linkedin.com") }
deny contains "rule-13" if { "direct message" in input.did }
deny contains "rule-14" if { "delete" in input.did; some w in input.resources; startswith(w, "/home/u/p/photos/") }
deny contains "rule-15" if { "buy" in input.did }
deny contains "rule-16" if { some e in input.events; e.minute < 570 }
deny contains "rule-17" if { "customers" in input.labels; some o in input.outputs; o.realm == "external" }
deny contains "rule-18" if { "bcc" in input.given }
deny contains "rule-19" if { "download" in input.did; input.files > 3 }
deny contains "rule-20" if { "pipe a download" in input.did }
