{{/*
Returns the first invalid combination of fields of a server, with the text of the gateway; empty without problems. The schema validates single fields. Takes the root context.
*/}}

{{- define "gateway.serversProblem" -}}
{{- $path := include "library.valuesPath" . -}}
{{- $problem := "" -}}
{{- range $name, $server := .Values.mcpservers -}}
{{- if not $problem -}}
{{- with include "gateway.serverProblem" $server.spec -}}
{{- $problem = printf "%smcpservers.%s.spec.%s" $path $name . -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}

{{/* Parameter: the spec. */}}
{{- define "gateway.serverProblem" -}}
{{- if eq (toString .type) "stdio" -}}
{{- if not (hasKey . "command") -}}command: command is required when type is stdio
{{- else if include "gateway.foreignField" (dict "spec" . "fields" (include "gateway.remoteFields" nil)) -}}
{{- with include "gateway.foreignField" (dict "spec" . "fields" (include "gateway.remoteFields" nil)) -}}{{ . }}: {{ . }} field is only allowed when type is streamable-http or sse{{- end -}}
{{- else if include "gateway.authenticates" .auth -}}auth: auth configuration is only supported for remote server types (streamable-http or sse)
{{- else -}}
{{- include "library.referencesProblem" (dict "field" "envFrom" "thing" "variable" "entries" .envFrom "map" "env" "known" .env) | default (include "gateway.callProblem" .) -}}
{{- end -}}
{{- else if not (hasKey . "url") -}}url: url is required when type is streamable-http or sse
{{- else if include "gateway.foreignField" (dict "spec" . "fields" (include "gateway.stdioFields" nil)) -}}
{{- with include "gateway.foreignField" (dict "spec" . "fields" (include "gateway.stdioFields" nil)) -}}{{ . }}: {{ . }} field is only allowed when type is stdio{{- end -}}
{{- else -}}
{{- include "gateway.authProblem" (default dict .auth) | default (include "library.referencesProblem" (dict "field" "headersFrom" "thing" "header" "entries" .headersFrom "map" "headers" "known" .headers)) | default (include "gateway.callProblem" .) -}}
{{- end -}}
{{- end -}}

{{/* Returns the first problem of the tools and limits of a server. Parameter: the spec. */}}
{{- define "gateway.callProblem" -}}
{{- $problem := "" -}}
{{- range $at, $tool := .tools -}}
{{- if not $problem -}}
{{- if eq (hasKey . "name") (hasKey . "pattern") -}}
{{- $problem = printf "tools[%d]: exactly one of name and pattern is required" $at -}}
{{- else -}}
{{- with include "library.referenceObject" (dict "field" "defaultsFrom" "entries" .defaultsFrom) | default (include "gateway.limitsProblem" .limits) -}}
{{- $problem = printf "tools[%d].%s" $at . -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $problem | default (include "gateway.limitsProblem" .limits) -}}
{{- end -}}

{{/* Parameter: the value `limits`, or nil. */}}
{{- define "gateway.limitsProblem" -}}
{{- with . -}}
{{- if and (hasKey . "callTimeout") (hasKey . "maxCallTimeout") (lt (int .maxCallTimeout) (int .callTimeout)) -}}limits.maxCallTimeout: maxCallTimeout must be at least callTimeout
{{- else if and (hasKey . "rate") (not (hasKey .rate "perUser")) (not (hasKey .rate "total")) -}}limits.rate: at least one of perUser and total is required
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Returns the first of the named fields that a spec has; empty without one. Parameters: the spec, and the names separated by spaces. */}}
{{- define "gateway.foreignField" -}}
{{- $found := "" -}}
{{- range splitList " " .fields -}}
{{- if and (not $found) (hasKey $.spec .) -}}{{- $found = . -}}{{- end -}}
{{- end -}}
{{- $found -}}
{{- end -}}

{{/* Parameter: the value `auth` of a remote server. */}}
{{- define "gateway.authProblem" -}}
{{- $exchange := default dict .tokenExchange -}}
{{- $exchanges := eq (toString $exchange.enabled) "true" -}}
{{- if hasKey . "authorizationServer" -}}
{{- if ne (toString .type) "oauth" -}}auth.authorizationServer: authorizationServer is only valid when type is oauth
{{- else if eq (toString .forwardToken) "true" -}}auth.authorizationServer: forwardToken bypasses per-backend OAuth; set one or the other, not both
{{- else if $exchanges -}}auth.authorizationServer: tokenExchange has its own issuer/endpoint config; set one or the other, not both
{{- end -}}
{{- else if and $exchanges (not (hasKey $exchange "dexTokenEndpoint")) -}}auth.tokenExchange.dexTokenEndpoint: dexTokenEndpoint is required when enabled is true
{{- else if and $exchanges (not (hasKey $exchange "connectorId")) -}}auth.tokenExchange.connectorId: connectorId is required when enabled is true
{{- end -}}
{{- end -}}

{{/* Returns "true" when an `auth` value enables any authentication; empty otherwise. Parameter: the value, or nil. */}}
{{- define "gateway.authenticates" -}}
{{- $auth := default dict . -}}
{{- $exchange := default dict $auth.tokenExchange -}}
{{- if or (eq (toString $auth.type) "oauth") (eq (toString $auth.forwardToken) "true") (eq (toString $exchange.enabled) "true") -}}true{{- end -}}
{{- end -}}
