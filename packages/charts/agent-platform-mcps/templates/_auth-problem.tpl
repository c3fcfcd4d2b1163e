{{/* Returns the problem of `auth` of an entry. Takes a dict: `root`, the root context, and `entry`. */}}

{{- define "agent-platform-mcps.server.auth.problem" -}}
{{- $subject := include "agent-platform-mcps.server.subject" . -}}
{{- $auth := default dict .entry.auth -}}
{{- $mode := default "none" $auth.mode -}}
{{- $modes := list "none" "oauth" "forward" "exchange" -}}
{{- if not (has $mode $modes) -}}
{{- printf "%s: unknown auth.mode %q (want %s)" $subject (toString $mode) (join "|" $modes) -}}
{{- else if and $auth.authorizationServer (ne $mode "oauth") -}}
{{- printf "%s: auth.authorizationServer is only allowed with auth.mode=oauth" $subject -}}
{{- else if and $auth.provider (ne $mode "exchange") -}}
{{- printf "%s: auth.provider is only allowed with auth.mode=exchange" $subject -}}
{{- else if and $auth.audiences (not (has $mode (list "forward" "exchange"))) -}}
{{- printf "%s: auth.audiences are only allowed with auth.mode=forward or auth.mode=exchange" $subject -}}
{{- else if eq $mode "exchange" -}}
{{- include "agent-platform-mcps.server.exchange.problem" . -}}
{{- else if eq $mode "oauth" -}}
{{- include "agent-platform-mcps.server.authorizationServer.problem" . -}}
{{- end -}}
{{- end -}}

{{- define "agent-platform-mcps.server.exchange.problem" -}}
{{- $subject := include "agent-platform-mcps.server.subject" . -}}
{{- $name := include "agent-platform-mcps.server.name" . -}}
{{- $key := .entry.auth.provider -}}
{{- if not $key -}}
{{- printf "%s has auth.mode=exchange but no auth.provider" $subject -}}
{{- else if not (hasKey .root.Values.identityProviders $key) -}}
{{- printf "auth.provider %q (used by %q) is not defined under identityProviders" $key $name -}}
{{- else if not (get .root.Values.identityProviders $key).connectorId -}}
{{- printf "auth.provider %q (used by %q) has no connectorId under identityProviders" $key $name -}}
{{- end -}}
{{- end -}}

{{- define "agent-platform-mcps.server.authorizationServer.problem" -}}
{{- $at := printf "%s: auth.authorizationServer" (include "agent-platform-mcps.server.subject" .) -}}
{{- with (default dict .entry.auth).authorizationServer -}}
{{- include "agent-platform-mcps.first" (list
  (include "agent-platform-mcps.text.problem" (dict
    "at" (printf "%s.issuer" $at) "is" (default "" .issuer)
    "max" (include "agent-platform-mcps.url.max" $) "pattern" (include "agent-platform-mcps.issuer.pattern" $)
    "must" "an https:// URL without trailing slash, query and fragment"))
  (include "agent-platform-mcps.scopes.problem" (dict "at" (printf "%s.scopes" $at) "is" .scopes))
) -}}
{{- end -}}
{{- end -}}

{{/* Validates OAuth scopes. Takes a dict: `at`, `is`. */}}
{{- define "agent-platform-mcps.scopes.problem" -}}
{{- include "agent-platform-mcps.text.problem" (merge (dict
  "max" (include "agent-platform-mcps.scopes.max" .) "pattern" (include "agent-platform-mcps.scopes.pattern" .)
  "must" "OAuth scopes separated by single spaces") .) -}}
{{- end -}}
