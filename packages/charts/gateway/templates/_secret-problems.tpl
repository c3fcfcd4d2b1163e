{{/*
Returns the first problem of files with values of Secrets and ConfigMaps, as one sentence; empty without problems. Takes the root context.
*/}}

{{- define "gateway.secretFilesProblem" -}}
{{- include "gateway.repeatedFileProblem" . | default (include "gateway.absentFileProblem" .) | default (include "gateway.absentCredentialsProblem" .) | default (include "gateway.absentReferenceProblem" .) -}}
{{- end -}}

{{/* The files that the chart mounts, relative to the configuration, as a JSON list. */}}
{{- define "gateway.mountedSecrets" -}}
{{- $files := list -}}
{{- range .Values.secretFiles -}}
{{- $secret := .secret -}}
{{- range .keys -}}{{- $files = append $files (printf "secrets/%s/%s" $secret .) -}}{{- end -}}
{{- end -}}
{{- range .Values.configMapFiles -}}
{{- $configMap := .configMap -}}
{{- range .keys -}}{{- $files = append $files (printf "configMaps/%s/%s" $configMap .) -}}{{- end -}}
{{- end -}}
{{- toJson $files -}}
{{- end -}}

{{- define "gateway.repeatedFileProblem" -}}
{{- $problem := "" -}}
{{- range $field, $kind := dict "secretFiles" "secret" "configMapFiles" "configMap" -}}
{{- $seen := list -}}
{{- range $at, $source := index $.Values $field -}}
{{- $name := index $source $kind -}}
{{- range .keys -}}
{{- $file := printf "%s/%s" $name . -}}
{{- if and (not $problem) (has $file $seen) -}}
{{- $problem = printf "%s[%d] names the key %q of %q, which has a file already" $field $at . $name -}}
{{- end -}}
{{- $seen = append $seen $file -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}

{{/* Paths of `muster` that name a file, with the file, as a JSON list. */}}
{{- define "gateway.namedFiles" -}}
{{- $auth := default dict .Values.muster.auth -}}
{{- $state := default dict .Values.muster.state -}}
{{- $files := list (list "auth.broker.upstream.clientSecretFile" (($auth.broker).upstream).clientSecretFile) -}}
{{- range $at, $client := ($auth.broker).clients -}}
{{- $files = append $files (list (printf "auth.broker.clients.%d.clientSecretFile" $at) .clientSecretFile) -}}
{{- end -}}
{{- range $at, $client := $auth.serverClients -}}
{{- $files = append $files (list (printf "auth.serverClients.%d.clientSecretFile" $at) .clientSecretFile) -}}
{{- end -}}
{{- range $at, $issuer := $auth.issuers -}}
{{- $files = append $files (list (printf "auth.issuers.%d.introspection.clientSecretFile" $at) (default dict .introspection).clientSecretFile) -}}
{{- end -}}
{{- range list "keyFile" "passwordFile" "caFile" -}}
{{- $files = append $files (list (printf "state.%s" .) (index $state .)) -}}
{{- end -}}
{{- $files = append $files (list "kubernetes.kubeconfig" (.Values.muster.kubernetes).kubeconfig) -}}
{{- toJson $files -}}
{{- end -}}

{{/* Relative paths start at the configuration, whose files the chart knows. */}}
{{- define "gateway.absentFileProblem" -}}
{{- $mounted := include "gateway.mountedSecrets" . | fromJsonArray -}}
{{- $problem := "" -}}
{{- range include "gateway.namedFiles" . | fromJsonArray -}}
{{- $file := default "" (last .) -}}
{{- if and (not $problem) $file (not (hasPrefix "/" $file)) (not (has $file $mounted)) -}}
{{- $problem = printf "muster.%s is %q, which no Secret of secretFiles provides: add it there, as secrets/<secret>/<key>, or set an absolute path" (first .) $file -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}

{{- define "gateway.absentCredentialsProblem" -}}
{{- $mounted := include "gateway.mountedSecrets" . | fromJsonArray -}}
{{- $problem := "" -}}
{{- $servers := ternary dict .Values.mcpservers (eq "true" (include "gateway.readsCluster" .)) -}}
{{- range $name, $server := $servers -}}
{{- $auth := default dict $server.spec.auth -}}
{{- range $key := list "tokenExchange" "authorizationServer" -}}
{{- with (default dict (index $auth $key)).clientCredentialsSecretRef -}}
{{- $secret := .name -}}
{{- range list (default "client-id" .clientIdKey) (default "client-secret" .clientSecretKey) -}}
{{- if and (not $problem) (not (has (printf "secrets/%s/%s" $secret .) $mounted)) -}}
{{- $problem = printf "mcpservers.%s.spec.auth.%s.clientCredentialsSecretRef needs the key %q of the Secret %q: add both to secretFiles" $name $key . $secret -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}

{{/* In file mode, values of servers in Secrets and ConfigMaps are files. */}}
{{- define "gateway.absentReferenceProblem" -}}
{{- $mounted := include "gateway.mountedSecrets" . | fromJsonArray -}}
{{- $problem := "" -}}
{{- $servers := ternary dict .Values.mcpservers (eq "true" (include "gateway.readsCluster" .)) -}}
{{- range $name, $server := $servers -}}
{{- $lists := dict "envFrom" $server.spec.envFrom "headersFrom" $server.spec.headersFrom -}}
{{- range $at, $tool := $server.spec.tools -}}
{{- $_ := set $lists (printf "tools[%d].defaultsFrom" $at) .defaultsFrom -}}
{{- end -}}
{{- range $field, $entries := $lists -}}
{{- range $at, $entry := $entries -}}
{{- $place := printf "mcpservers.%s.spec.%s[%d]" $name $field $at -}}
{{- with .secretKeyRef -}}
{{- if and (not $problem) (not .optional) (not (has (printf "secrets/%s/%s" .name .key) $mounted)) -}}
{{- $problem = printf "%s.secretKeyRef needs the key %q of the Secret %q: add both to secretFiles" $place .key .name -}}
{{- end -}}
{{- end -}}
{{- with .configMapKeyRef -}}
{{- if and (not $problem) (not .optional) (not (has (printf "configMaps/%s/%s" .name .key) $mounted)) -}}
{{- $problem = printf "%s.configMapKeyRef needs the key %q of the ConfigMap %q: add both to configMapFiles" $place .key .name -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}
