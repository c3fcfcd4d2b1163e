{{/* Returns the problem of an entry of `identityProviders`. Takes a dict: `key` and `provider`. */}}

{{- define "agent-platform-mcps.provider.problem" -}}
{{- $at := printf "identityProviders %q" .key -}}
{{- $https := dict
  "max" (include "agent-platform-mcps.url.max" .) "pattern" (include "agent-platform-mcps.httpsUrl.pattern" .)
  "must" "an https:// URL: a host without user and password, then optionally a port, a path and a query" -}}
{{- with .provider -}}
{{- include "agent-platform-mcps.first" (list
  (include "agent-platform-mcps.text.problem" (merge (dict "at" (printf "%s: tokenEndpoint" $at) "is" (default "" .tokenEndpoint)) $https))
  (include "agent-platform-mcps.text.problem" (merge (dict "at" (printf "%s: expectedIssuer" $at) "is" .expectedIssuer) $https))
  (include "agent-platform-mcps.text.problem" (dict
    "at" (printf "%s: connectorId" $at) "is" .connectorId
    "max" (include "agent-platform-mcps.identifier.max" $) "pattern" (include "agent-platform-mcps.identifier.pattern" $)
    "must" "a letter, then letters, digits, \"-\" and \"_\""))
  (include "agent-platform-mcps.scopes.problem" (dict "at" (printf "%s: scopes" $at) "is" .scopes))
  (include "agent-platform-mcps.secret.problem" (dict "at" (printf "%s: credentialsSecret" $at) "secret" .credentialsSecret))
) -}}
{{- end -}}
{{- end -}}

{{/* Validates a reference to a Secret. Takes a dict: `at`, `secret`, unset when nil. */}}
{{- define "agent-platform-mcps.secret.problem" -}}
{{- $at := .at -}}
{{- $key := dict "max" 253 "pattern" "^[-._a-zA-Z0-9]+$" "must" "a key of a Secret: letters, digits, \"-\", \"_\" and \".\"" -}}
{{- with .secret -}}
{{- include "agent-platform-mcps.first" (list
  (include "agent-platform-mcps.text.problem" (dict
    "at" (printf "%s.name" $at) "is" (default "" .name)
    "max" (include "agent-platform-mcps.secretName.max" $) "pattern" (include "agent-platform-mcps.secretName.pattern" $)
    "must" "the name of a Secret: lower-case letters, digits, \"-\" and \".\""))
  (include "agent-platform-mcps.text.problem" (dict
    "at" (printf "%s.namespace" $at) "is" .namespace "max" 63 "pattern" (include "agent-platform-mcps.label.pattern" $)
    "must" "a DNS label: at most 63 lower-case letters, digits and \"-\", the first and the last no \"-\""))
  (include "agent-platform-mcps.text.problem" (merge (dict "at" (printf "%s.clientIdKey" $at) "is" .clientIdKey) $key))
  (include "agent-platform-mcps.text.problem" (merge (dict "at" (printf "%s.clientSecretKey" $at) "is" .clientSecretKey) $key))
) -}}
{{- end -}}
{{- end -}}
