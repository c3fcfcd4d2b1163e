{{/* The content of NOTES.txt. */}}

{{- define "gateway.presetNames" -}}
{{- concat (include "library.builtInPresets" . | splitList " ") (keys (.Values.muster.toolsetPresets | default dict) | sortAlpha) | join ", " -}}
{{- end -}}

{{/* Servers that run as processes of the pod, as a JSON list. */}}
{{- define "gateway.processes" -}}
{{- $names := list -}}
{{- range $name, $server := .Values.mcpservers -}}
{{- if eq (toString $server.spec.type) "stdio" -}}{{- $names = append $names $name -}}{{- end -}}
{{- end -}}
{{- toJson $names -}}
{{- end -}}

{{/* Servers with env or headers in their values, as a JSON list. */}}
{{- define "gateway.exposed" -}}
{{- $names := list -}}
{{- range $name, $server := .Values.mcpservers -}}
{{- if or $server.spec.env $server.spec.headers -}}{{- $names = append $names $name -}}{{- end -}}
{{- end -}}
{{- toJson $names -}}
{{- end -}}

{{/* Warnings, one line each. */}}
{{- define "gateway.warnings" -}}
{{- if eq (default .Values.image.registry (.Values.global).imageRegistry) "registry.gateway.internal" }}
- The image comes from the placeholder registry.gateway.internal: set image.registry.
{{- end }}
{{- if not (or .Values.mcpservers .Values.mcpserversFrom (include "gateway.readsCluster" .)) }}
- There are no servers: add them to mcpservers.
{{- end }}
{{- with include "gateway.processes" . | fromJsonArray }}
- Servers of type stdio run inside the pod, so the image must contain their commands: {{ join ", " . }}.
{{- end }}
{{- with include "gateway.exposed" . | fromJsonArray }}
- env and headers of these servers are not in a Secret; use {{ ternary "envFrom and headersFrom" "mcpserversFrom" (eq "true" (include "gateway.readsCluster" $)) }} for Secrets: {{ join ", " . }}.
{{- end }}
{{- if not .Values.persistence.enabled }}
- Events, declared tools and records of runs{{ if .Values.muster.pinToolHints }}, and accepted tool hints,{{ end }} are deleted with the pod: set persistence.enabled to store them.
{{- end }}
{{- if has "*" ((.Values.muster.http).allowedHosts | default list) }}
- Every Host is permitted: there is no protection from DNS rebinding.
{{- end }}
{{- if eq (toString (.Values.muster.coreTools).writes) "all" }}
- Every client of the endpoint can run commands in the pod: muster.coreTools.writes is all.
{{- end }}
{{- include "gateway.signInWarnings" . }}
{{- if eq (int .Values.replicas) 0 }}
- replicas is 0: nothing runs.
{{- end }}
{{- if and (include "gateway.readsCluster" .) (not .Values.rbac.create) }}
- rbac.create is false: the account {{ include "library.serviceAccountName" . }} requires permissions.
{{- end }}
{{- end -}}

{{- define "gateway.signInWarnings" -}}
{{- $mode := default "none" (.Values.muster.auth).mode -}}
{{- $hosts := include "gateway.routedHosts" . | fromJsonArray -}}
{{- if and $hosts (eq $mode "none") }}
- Everybody who reaches {{ join ", " $hosts }} is one anonymous user: set muster.auth.mode.
{{- end }}
{{- with (.Values.muster.http).publicUrl }}
{{- $host := (urlParse .).host }}
{{- if and $hosts (not (has $host $hosts)) }}
- muster.http.publicUrl has the host {{ $host }}, which neither ingress nor httpRoute has.
{{- end }}
{{- end }}
{{- if and (eq $mode "broker") (ne (toString (include "gateway.state" . | fromJson).store) "redis") }}
- Everybody signs in again after the pod ended: name a server in muster.state to store sign-ins.
{{- end }}
{{- end -}}

{{- define "gateway.notes" -}}
{{- $name := include "library.fullname" . -}}
{{- $group := include "library.apiGroup" . -}}
{{- $port := include "gateway.defaultPort" . -}}
gateway {{ .Chart.AppVersion }} is {{ $name }} in namespace {{ .Release.Namespace }}.

In the cluster:
  {{ include "gateway.clusterUrl" . }}
{{- with include "gateway.routedHosts" . | fromJsonArray }}
From outside:
{{- range . }}
  https://{{ . }}/mcp
{{- end }}
{{- else }}
From here:
  kubectl --namespace {{ .Release.Namespace }} port-forward service/{{ $name }} {{ $port }}:{{ .Values.service.port }}
  http://127.0.0.1:{{ $port }}/mcp
{{- end }}

Presets, for the header {{ include "library.toolsetHeader" . }}: preset:<name>:
  {{ include "gateway.presetNames" . }}
{{- with include "gateway.warnings" . | trim }}

Notes:
{{ . }}
{{- end }}

Next:
  kubectl --namespace {{ .Release.Namespace }} rollout status deployment/{{ $name }}
{{- if ne (default "none" (.Values.muster.auth).mode) "none" }}
  gateway auth login {{ trimSuffix "/" .Values.muster.http.publicUrl }}/mcp
{{- else }}
  kubectl --namespace {{ .Release.Namespace }} exec deployment/{{ $name }} -- gateway servers
{{- with include "gateway.port" . | int }}
{{- if ne . (include "gateway.defaultPort" $ | int) }} --url http://127.0.0.1:{{ . }}/mcp{{ end }}
{{- end }}
{{- end }}
{{- if ne $group (include "library.defaultApiGroup" .) }}

The CustomResourceDefinitions of this chart are of the API group {{ include "library.defaultApiGroup" . }}. Those of {{ $group }}:
  kubectl --namespace {{ .Release.Namespace }} exec deployment/{{ $name }} -- gateway crds --api-group {{ $group }} | kubectl apply -f -
{{- end }}
{{- end -}}
