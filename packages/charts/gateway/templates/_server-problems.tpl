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
{{- else if hasKey . "headers" -}}headers: headers field is only allowed when type is streamable-http or sse
{{- else if include "gateway.authenticates" .auth -}}auth: auth configuration is only supported for remote server types (streamable-http or sse)
{{- end -}}
{{- else if not (hasKey . "url") -}}url: url is required when type is streamable-http or sse
{{- else if hasKey . "args" -}}args: args field is only allowed when type is stdio
{{- else if hasKey . "cwd" -}}cwd: cwd field is only allowed when type is stdio
{{- end -}}
{{- end -}}

{{/* Returns "true" when an `auth` value enables any authentication; empty otherwise. Parameter: the value, or nil. */}}
{{- define "gateway.authenticates" -}}
{{- $auth := default dict . -}}
{{- $exchange := default dict $auth.tokenExchange -}}
{{- if or (eq (toString $auth.type) "oauth") (eq (toString $auth.forwardToken) "true") (eq (toString $exchange.enabled) "true") -}}true{{- end -}}
{{- end -}}
