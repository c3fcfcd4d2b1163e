{{/* Returns the problem of an entry of `mcpServers`. Each takes a dict: `root`, the root context, and `entry`. */}}

{{- define "agent-platform-mcps.server.problem" -}}
{{- include "agent-platform-mcps.first" (list
  (include "agent-platform-mcps.server.names.problem" .)
  (include "agent-platform-mcps.server.connection.problem" .)
  (include "agent-platform-mcps.references.problem" .)
  (include "agent-platform-mcps.toolGroup.problem" (dict "root" .root
    "at" (printf "%s: toolGroup" (include "agent-platform-mcps.server.subject" .)) "group" .entry.toolGroup))
  (include "agent-platform-mcps.server.auth.problem" .)
) -}}
{{- end -}}

{{- define "agent-platform-mcps.server.names.problem" -}}
{{- $at := printf "%s: " (include "agent-platform-mcps.server.subject" .) -}}
{{- $label := dict "max" 63 "pattern" (include "agent-platform-mcps.label.pattern" .) -}}
{{- $mustLabel := "a DNS label: at most 63 lower-case letters, digits and \"-\", the first and the last no \"-\"" -}}
{{- $identifier := dict "max" (include "agent-platform-mcps.identifier.max" .) "pattern" (include "agent-platform-mcps.identifier.pattern" .) -}}
{{- $labelValue := dict "max" 63 "pattern" (include "agent-platform-mcps.labelValue.pattern" .) -}}
{{- include "agent-platform-mcps.first" (list
  (include "agent-platform-mcps.text.problem" (merge (dict
    "at" (print $at "name") "is" (include "agent-platform-mcps.server.name" .) "must" $mustLabel) $label))
  (include "agent-platform-mcps.text.problem" (merge (dict
    "at" (print $at "namespace") "is" .entry.namespace "must" $mustLabel) $label))
  (include "agent-platform-mcps.text.problem" (merge (dict
    "at" (print $at "cluster") "is" .entry.cluster
    "must" "the value of a label: at most 63 letters, digits, \"-\", \"_\" and \".\", the first and the last a letter or digit") $labelValue))
  (include "agent-platform-mcps.text.problem" (merge (dict
    "at" (print $at "group") "is" .entry.group
    "must" "a letter, then letters, digits, \"-\" and \"_\"") $identifier))
  (include "agent-platform-mcps.text.problem" (merge (dict
    "at" (print $at "group") "is" (printf "mcp-%v" .entry.group)
    "must" "at most 59 characters, the last a letter or digit") $labelValue))
  (include "agent-platform-mcps.text.problem" (merge (dict
    "at" (print $at "toolPrefix") "is" .entry.toolPrefix
    "must" (printf "a letter, then letters, digits, \"-\" and \"_\", at most %s" $identifier.max)) $identifier))
) -}}
{{- end -}}

{{- define "agent-platform-mcps.server.connection.problem" -}}
{{- $subject := include "agent-platform-mcps.server.subject" . -}}
{{- $transports := list "streamable-http" "sse" -}}
{{- $timeout := .entry.timeout -}}
{{- $min := include "agent-platform-mcps.timeout.min" . -}}
{{- $max := include "agent-platform-mcps.timeout.max" . -}}
{{- $url := include "agent-platform-mcps.text.problem" (dict
  "at" (printf "%s: url" $subject) "is" (default "" .entry.url)
  "max" (include "agent-platform-mcps.url.max" .) "pattern" (include "agent-platform-mcps.url.pattern" .)
  "must" "an http:// or https:// URL: a host without user and password, then optionally a port, a path and a query") -}}
{{- if $url -}}
{{- $url -}}
{{- else if not (has (default "streamable-http" .entry.transport) $transports) -}}
{{- printf "%s: unknown transport %q (want %s)" $subject (toString .entry.transport) (join "|" $transports) -}}
{{- else if and (hasKey .entry "timeout") (not (mustRegexMatch "^[0-9]{1,9}$" (toString $timeout))) -}}
{{- printf "%s: timeout must be %s to %s seconds" $subject $min $max -}}
{{- else if and (hasKey .entry "timeout") (or (lt (int $timeout) (int $min)) (gt (int $timeout) (int $max))) -}}
{{- printf "%s: timeout must be %s to %s seconds" $subject $min $max -}}
{{- end -}}
{{- end -}}
