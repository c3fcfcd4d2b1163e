{{/* The MCPServer of an entry. Each template takes a dict: `root`, the root context, and `entry`. */}}

{{- define "agent-platform-mcps.server" -}}
{{- $family := include "agent-platform-mcps.server.family" . | fromJson -}}
{{- $spec := dict
  "type" (default "streamable-http" .entry.transport)
  "url" .entry.url
  "autoStart" (ternary .entry.autoStart true (hasKey .entry "autoStart"))
  "auth" (include "agent-platform-mcps.server.auth" . | fromJson) -}}
{{- if hasKey .entry "timeout" -}}{{- $_ := set $spec "timeout" .entry.timeout -}}{{- end -}}
{{- with .entry.toolPrefix -}}{{- $_ := set $spec "toolPrefix" . -}}{{- end -}}
{{- if $family -}}
{{- $_ := set $spec "family" (dict "name" .entry.group "instanceArg" $family.instanceArg) -}}
{{- end -}}
apiVersion: {{ printf "%s/v1alpha1" (include "library.apiGroup" .root) | quote }}
kind: MCPServer
metadata:
  name: {{ include "agent-platform-mcps.server.name" . | quote }}
  namespace: {{ include "agent-platform-mcps.server.namespace" . | quote }}
  labels:
    {{- include "agent-platform-mcps.server.labels" . | nindent 4 }}
spec:
  {{- toYaml $spec | nindent 2 }}
{{- end -}}

{{/* The tool group is that of the entry, else that of the family; without either there is no such label (§2.3). */}}
{{- define "agent-platform-mcps.server.labels" -}}
{{- $family := include "agent-platform-mcps.server.family" . | fromJson -}}
{{- $group := include "library.apiGroup" .root -}}
{{- $labels := include "library.labels" .root | fromYaml -}}
{{- $_ := set $labels (printf "%s/management-cluster" $group) .entry.cluster -}}
{{- $_ = set $labels (printf "%s/type" $group) (printf "mcp-%s" .entry.group) -}}
{{- with default $family.toolGroup .entry.toolGroup -}}
{{- $_ = set $labels (include "library.toolGroupLabel" $.root) . -}}
{{- end -}}
{{- toYaml $labels -}}
{{- end -}}

{{/* `spec.auth` as JSON, one form for each mode (§2.6). */}}
{{- define "agent-platform-mcps.server.auth" -}}
{{- $auth := default dict .entry.auth -}}
{{- $mode := default "none" $auth.mode -}}
{{- $spec := dict "type" (ternary "none" "oauth" (eq $mode "none")) "forwardToken" (eq $mode "forward") -}}
{{- if has $mode (list "forward" "exchange") -}}
{{- with ternary $auth.audiences .root.Values.defaults.audiences (hasKey $auth "audiences") -}}
{{- $_ := set $spec "requiredAudiences" . -}}
{{- end -}}
{{- end -}}
{{- if eq $mode "exchange" -}}
{{- $provider := get .root.Values.identityProviders $auth.provider -}}
{{- $_ := set $spec "tokenExchange" (include "agent-platform-mcps.provider" $provider | fromJson) -}}
{{- end -}}
{{- with $auth.authorizationServer -}}
{{- $_ := set $spec "authorizationServer" . -}}
{{- end -}}
{{- toJson $spec -}}
{{- end -}}

{{/* `spec.auth.tokenExchange` as JSON. Takes an entry of `identityProviders`. */}}
{{- define "agent-platform-mcps.provider" -}}
{{- $exchange := pick . "expectedIssuer" "connectorId" "scopes" -}}
{{- $_ := set $exchange "enabled" true -}}
{{- $_ = set $exchange "dexTokenEndpoint" .tokenEndpoint -}}
{{- with .credentialsSecret -}}
{{- $_ = set $exchange "clientCredentialsSecretRef" . -}}
{{- end -}}
{{- toJson $exchange -}}
{{- end -}}
