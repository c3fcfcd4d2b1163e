{{/* Validates `headersFrom` of an entry in the sentences of the gateway. */}}

{{/* Takes a dict: `root`, the root context, and `entry`. */}}
{{- define "agent-platform-mcps.references.problem" -}}
{{- $problems := list -}}
{{- range $at, $reference := .entry.headersFrom -}}
{{- $problems = append $problems (include "agent-platform-mcps.bounds.problem" (dict
  "at" (printf "headersFrom[%d].name" $at) "is" .name
  "max" (include "agent-platform-mcps.headerName.max" $) "pattern" (include "agent-platform-mcps.headerName.pattern" $)
  "must" "must be an HTTP header name")) -}}
{{- range $kind := list "secretKeyRef" "configMapKeyRef" -}}
{{- with index $reference $kind -}}
{{- $problems = append $problems (include "agent-platform-mcps.bounds.problem" (dict
  "at" (printf "headersFrom[%d].%s.name" $at $kind) "is" .name
  "max" (include "agent-platform-mcps.objectName.max" $) "pattern" (include "agent-platform-mcps.objectName.pattern" $)
  "must" "must consist of lower-case letters, digits, \"-\" and \".\", and each part between dots must start and end with a letter or digit")) -}}
{{- $problems = append $problems (include "agent-platform-mcps.bounds.problem" (dict
  "at" (printf "headersFrom[%d].%s.key" $at $kind) "is" .key
  "max" (include "agent-platform-mcps.objectKey.max" $) "pattern" (include "agent-platform-mcps.objectKey.pattern" $)
  "must" "must contain only letters, digits, \"-\", \"_\" and \".\"")) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $problems = append $problems (include "library.referencesProblem" (dict
  "field" "headersFrom" "thing" "header" "entries" .entry.headersFrom "map" "headers" "known" dict)) -}}
{{- with include "agent-platform-mcps.first" $problems -}}
{{- printf "%s: %s" (include "agent-platform-mcps.server.subject" $) . -}}
{{- end -}}
{{- end -}}

{{/* Takes a dict: `at`, the path; `is`, the text; `max`, in characters, at most 1000; `pattern`; `must`, the sentence when it does not match. */}}
{{- define "agent-platform-mcps.bounds.problem" -}}
{{- if eq .is "" -}}
{{- printf "%s: must not be empty" .at -}}
{{- else if not (mustRegexMatch (printf "^(?s:.{0,%s})$" .max) .is) -}}
{{- printf "%s: must be at most %s characters" .at .max -}}
{{- else if not (mustRegexMatch .pattern .is) -}}
{{- printf "%s: %s" .at .must -}}
{{- end -}}
{{- end -}}
