{{/* The MCPServer of an entry. Each template takes a dict: `root`, the root context, and `entry`. */}}

{{- define "agent-platform-mcps.server" -}}
{{- $family := include "agent-platform-mcps.server.family" . | fromJson -}}
apiVersion: {{ printf "%s/v1alpha1" (include "library.apiGroup" .root) | quote }}
kind: MCPServer
metadata:
  name: {{ include "agent-platform-mcps.server.name" . | quote }}
  namespace: {{ include "agent-platform-mcps.server.namespace" . | quote }}
  labels:
    {{- include "agent-platform-mcps.server.labels" . | nindent 4 }}
spec:
  {{- with .entry }}
  autoStart: {{ ternary .autoStart true (hasKey . "autoStart") }}
  type: {{ default "streamable-http" .transport | quote }}
  url: {{ .url | quote }}
  {{- if hasKey . "timeout" }}
  timeout: {{ int .timeout }}
  {{- end }}
  {{- with .headersFrom }}
  headersFrom:
    {{- include "library.yaml" . | nindent 4 }}
  {{- end }}
  {{- with .toolPrefix }}
  toolPrefix: {{ . | quote }}
  {{- end }}
  {{- end }}
  auth:
    {{- include "agent-platform-mcps.server.auth" . | nindent 4 }}
  {{- with $family.instanceArg }}
  family:
    name: {{ $.entry.group | quote }}
    instanceArg: {{ . | quote }}
  {{- end }}
{{- end -}}

{{/* The tool group of the entry, else that of its family, by default `infrastructure`; an entry without either has no label (§2.3). */}}
{{- define "agent-platform-mcps.server.labels" -}}
{{- $family := include "agent-platform-mcps.server.family" . | fromJson -}}
{{- $group := include "library.apiGroup" .root -}}
{{- include "library.labels" .root }}
{{ printf "%s/management-cluster: %q" $group .entry.cluster }}
{{ printf "%s/type: %q" $group (printf "mcp-%s" .entry.group) }}
{{- $ofFamily := ternary (default "infrastructure" $family.toolGroup) "" (not (empty $family)) -}}
{{- with default $ofFamily .entry.toolGroup }}
{{ printf "%s: %q" (include "library.toolGroupLabel" $.root) . }}
{{- end }}
{{- end -}}

{{/* `spec.auth`, one form for each mode (§2.6). */}}
{{- define "agent-platform-mcps.server.auth" -}}
{{- $auth := default dict .entry.auth -}}
{{- $mode := default "none" $auth.mode -}}
type: {{ ternary "none" "oauth" (eq $mode "none") }}
forwardToken: {{ eq $mode "forward" }}
{{- if has $mode (list "forward" "exchange") }}
{{- with ternary $auth.audiences .root.Values.defaults.audiences (hasKey $auth "audiences") }}
requiredAudiences:
  {{- range . }}
  - {{ . | quote }}
  {{- end }}
{{- end }}
{{- end }}
{{- if eq $mode "exchange" }}
tokenExchange:
  enabled: true
  {{- include "agent-platform-mcps.provider" (get .root.Values.identityProviders $auth.provider) | nindent 2 }}
{{- end }}
{{- with $auth.authorizationServer }}
authorizationServer:
  {{- include "agent-platform-mcps.texts" (pick . "issuer" "scopes") | nindent 2 }}
  {{- with .credentialsSecret }}
  clientCredentialsSecretRef:
    {{- include "agent-platform-mcps.texts" (pick . "name" "namespace" "clientIdKey" "clientSecretKey") | nindent 4 }}
  {{- end }}
{{- end }}
{{- end -}}

{{/* The rest of `spec.auth.tokenExchange`. Takes an entry of `identityProviders`. */}}
{{- define "agent-platform-mcps.provider" -}}
dexTokenEndpoint: {{ .tokenEndpoint | quote }}
{{- with pick . "expectedIssuer" "connectorId" "scopes" }}
{{ include "agent-platform-mcps.texts" . }}
{{- end }}
{{- with .credentialsSecret }}
clientCredentialsSecretRef:
  {{- include "agent-platform-mcps.texts" (pick . "name" "namespace" "clientIdKey" "clientSecretKey") | nindent 2 }}
{{- end }}
{{- end -}}

{{/* A map of quoted texts, so that a number-like value stays a text. */}}
{{- define "agent-platform-mcps.texts" -}}
{{- $lines := list -}}
{{- range $key, $text := . -}}
{{- $lines = append $lines (printf "%s: %q" $key $text) -}}
{{- end -}}
{{- join "\n" $lines -}}
{{- end -}}
