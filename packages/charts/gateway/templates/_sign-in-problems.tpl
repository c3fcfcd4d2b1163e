{{/*
Problems of `muster.auth` and of the URL of clients: the sentences of the gateway about its config.yaml, after `muster.`. Each takes the root
context and returns the first problem; empty without problems.
*/}}

{{- define "gateway.signInProblem" -}}
{{- $problem := "" -}}
{{- range list "publicUrl" "mode" "authUrls" "issuers" "upstreamParameters" -}}
{{- if not $problem -}}
{{- $problem = include (printf "gateway.%sProblem" .) $ -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}

{{- define "gateway.publicUrlProblem" -}}
{{- $url := (.Values.muster.http).publicUrl -}}
{{- $mode := default "none" (.Values.muster.auth).mode -}}
{{- if and $url (not (regexMatch "^https?://[^/?#@]+/?$" $url)) -}}
muster.http.publicUrl: must be a URL with https or http, without a path
{{- else if and (ne $mode "none") (not $url) -}}
{{- printf "muster.http.publicUrl is required for auth.mode: %s: set the URL at which clients reach the gateway" $mode -}}
{{- end -}}
{{- end -}}

{{- define "gateway.modeProblem" -}}
{{- $auth := default dict .Values.muster.auth -}}
{{- if and (eq (toString $auth.mode) "resource-server") (not $auth.issuers) -}}
muster.auth.issuers: must have at least one issuer for mode resource-server
{{- else if and (eq (toString $auth.mode) "broker") (not $auth.broker) -}}
muster.auth.broker: is required for mode broker
{{- end -}}
{{- end -}}

{{- define "gateway.issuersProblem" -}}
{{- $names := list -}}
{{- $introspecting := 0 -}}
{{- range (.Values.muster.auth).issuers -}}
{{- $names = append $names .issuer -}}
{{- if .introspection -}}{{- $introspecting = add1 $introspecting -}}{{- end -}}
{{- end -}}
{{- if ne (len $names) (len (uniq $names)) -}}
muster.auth.issuers: must not name an issuer twice
{{- else if gt (int $introspecting) 1 -}}
muster.auth.issuers: must have introspection for one issuer only, because an opaque token does not name its issuer
{{- end -}}
{{- end -}}

{{/* The gateway sets some parameters of the request itself. */}}
{{- define "gateway.upstreamParametersProblem" -}}
{{- $reserved := include "gateway.reservedParameters" . | splitList ", " -}}
{{- $isReserved := false -}}
{{- range $name, $value := ((.Values.muster.auth).broker).upstream | default dict | dig "authorizationParameters" dict -}}
{{- if has $name $reserved -}}{{- $isReserved = true -}}{{- end -}}
{{- end -}}
{{- if $isReserved -}}
{{- printf "muster.auth.broker.upstream.authorizationParameters: must not set %s" (join ", " $reserved) -}}
{{- end -}}
{{- end -}}

{{- define "gateway.authUrlsProblem" -}}
{{- $problem := "" -}}
{{- range include "gateway.authUrls" . | fromJsonArray -}}
{{- if and (not $problem) (not (regexMatch .pattern .url)) -}}
{{- $problem = printf "muster.auth.%s: must be a URL with https or http%s" .path .further -}}
{{- else if and (not $problem) (eq .path "clientDocumentUrl") (not (hasPrefix "https:" .url)) -}}
{{- $problem = "muster.auth.clientDocumentUrl: must be a URL with https" -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}

{{/* URLs of `muster.auth` as a JSON list, each with its path, its pattern and the end of the sentence. */}}
{{- define "gateway.authUrls" -}}
{{- $auth := default dict .Values.muster.auth -}}
{{- $given := list (list "resource" $auth.resource) (list "clientDocumentUrl" $auth.clientDocumentUrl) -}}
{{- range $at, $url := $auth.redirects -}}{{- $given = append $given (list (printf "redirects.%d" $at) $url) -}}{{- end -}}
{{- range $at, $client := $auth.serverClients -}}{{- $given = append $given (list (printf "serverClients.%d.issuer" $at) .issuer) -}}{{- end -}}
{{- $urls := list -}}
{{- range $given -}}
{{- if last . -}}{{- $urls = append $urls (dict "path" (first .) "url" (last .) "pattern" "^https?://[^?#]+$" "further" ", without a query") -}}{{- end -}}
{{- end -}}
{{- $issuers := list -}}
{{- range $at, $issuer := $auth.issuers -}}
{{- $issuers = concat $issuers (list (list (printf "issuers.%d.issuer" $at) .issuer) (list (printf "issuers.%d.jwksUri" $at) .jwksUri)) -}}
{{- $issuers = append $issuers (list (printf "issuers.%d.introspection.endpoint" $at) (default dict .introspection).endpoint) -}}
{{- end -}}
{{- $issuers = append $issuers (list "broker.upstream.issuer" (($auth.broker).upstream).issuer) -}}
{{- range $issuers -}}
{{- if last . -}}{{- $urls = append $urls (dict "path" (first .) "url" (last .) "pattern" "^https?://[^/?#]" "further" "") -}}{{- end -}}
{{- end -}}
{{- toJson $urls -}}
{{- end -}}
