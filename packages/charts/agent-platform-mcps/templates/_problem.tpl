{{/* Returns the first problem of the values, as one sentence. The schema was validated before. */}}

{{- define "agent-platform-mcps.problem" -}}
{{- $problems := list (include "agent-platform-mcps.families.problem" .) -}}
{{- range $key, $provider := .Values.identityProviders -}}
{{- $problems = append $problems (include "agent-platform-mcps.provider.problem" (dict "key" $key "provider" $provider)) -}}
{{- end -}}
{{- range .Values.mcpServers -}}
{{- $problems = append $problems (include "agent-platform-mcps.server.problem" (dict "root" $ "entry" .)) -}}
{{- end -}}
{{- $problems = append $problems (include "agent-platform-mcps.duplicate.problem" .) -}}
{{- include "agent-platform-mcps.first" $problems -}}
{{- end -}}

{{/* The first text of a list that is not empty. */}}
{{- define "agent-platform-mcps.first" -}}
{{- with compact . -}}{{- first . -}}{{- end -}}
{{- end -}}

{{/*
Validates a text. Takes a dict: `at`, the path; `is`, the text, unset when nil; `pattern`, `max`; `must`, the requirement for the message.
*/}}
{{- define "agent-platform-mcps.text.problem" -}}
{{- if not (kindIs "invalid" .is) -}}
{{- if not (and (kindIs "string" .is) (le (len (toString .is)) (int .max)) (mustRegexMatch .pattern (toString .is))) -}}
{{- printf "%s must be %s" .at .must -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Validates a tool group: the value of a label that is not empty. Takes a dict: `root`, `at`, `group`, unset when nil. */}}
{{- define "agent-platform-mcps.toolGroup.problem" -}}
{{- $must := "the value of a label: 1 to 63 letters, digits, \"-\", \"_\" and \".\", the first and the last a letter or digit" -}}
{{- if eq (toString .group) "" -}}
{{- printf "%s must be %s" .at $must -}}
{{- else -}}
{{- include "agent-platform-mcps.text.problem" (dict "at" .at "is" .group "max" 63
  "pattern" (include "agent-platform-mcps.labelValue.pattern" .root) "must" $must) -}}
{{- end -}}
{{- end -}}

{{- define "agent-platform-mcps.families.problem" -}}
{{- $problems := list -}}
{{- range $group, $family := .Values.muster.families -}}
{{- $at := printf "muster.families.%s" $group -}}
{{- $problems = append $problems (include "agent-platform-mcps.toolGroup.problem" (dict "root" $ "at" (printf "%s.toolGroup" $at) "group" $family.toolGroup)) -}}
{{- $problems = append $problems (include "agent-platform-mcps.text.problem" (dict
  "at" (printf "%s.instanceArg" $at) "is" (default "" $family.instanceArg)
  "max" (include "agent-platform-mcps.argument.max" $) "pattern" (include "agent-platform-mcps.argument.pattern" $)
  "must" "the name of an argument: a letter, then letters, digits and \"_\"")) -}}
{{- end -}}
{{- include "agent-platform-mcps.first" $problems -}}
{{- end -}}

{{/* Finds two entries with one object name. */}}
{{- define "agent-platform-mcps.duplicate.problem" -}}
{{- $seen := dict -}}
{{- $problems := list -}}
{{- range .Values.mcpServers -}}
{{- $server := dict "root" $ "entry" . -}}
{{- $namespace := include "agent-platform-mcps.server.namespace" $server -}}
{{- $key := printf "%s/%s" $namespace (include "agent-platform-mcps.server.name" $server) -}}
{{- if hasKey $seen $key -}}
{{- $problems = append $problems (printf "%s: an earlier entry has the same name in namespace %q" (include "agent-platform-mcps.server.subject" $server) $namespace) -}}
{{- end -}}
{{- $_ := set $seen $key true -}}
{{- end -}}
{{- include "agent-platform-mcps.first" $problems -}}
{{- end -}}
