{{/* Files of the gateway: config.yaml and resources. */}}

{{- define "gateway.configDirectory" -}}/etc/gateway{{- end -}}
{{- define "gateway.stateMount" -}}/var/lib/gateway{{- end -}}

{{- define "gateway.port" -}}
{{- (.Values.muster.http).port | default (include "gateway.defaultPort" .) | int -}}
{{- end -}}

{{/* Host names of the Service and of its routes, as a JSON list. */}}
{{- define "gateway.hosts" -}}
{{- $name := include "library.fullname" . -}}
{{- $hosts := list $name -}}
{{- $hosts = append $hosts (printf "%s.%s" $name .Release.Namespace) -}}
{{- $hosts = append $hosts (printf "%s.%s.svc" $name .Release.Namespace) -}}
{{- $hosts = append $hosts (printf "%s.%s.svc.%s" $name .Release.Namespace .Values.clusterDomain) -}}
{{- $hosts = concat $hosts (include "gateway.routedHosts" . | fromJsonArray) -}}
{{- concat $hosts ((.Values.muster.http).allowedHosts | default list) | uniq | toJson -}}
{{- end -}}

{{/* Hosts of the Ingress and of the HTTPRoute, as a JSON list. */}}
{{- define "gateway.routedHosts" -}}
{{- $hosts := list -}}
{{- with .Values.ingress -}}
{{- if .enabled -}}
{{- range .hosts -}}{{- with .host -}}{{- $hosts = append $hosts . -}}{{- end -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- with .Values.httpRoute -}}
{{- if .enabled -}}{{- $hosts = concat $hosts (.hostnames | default list) -}}{{- end -}}
{{- end -}}
{{- toJson $hosts -}}
{{- end -}}

{{/* The content of config.yaml as a YAML map: the values of `muster` over the defaults in a pod. */}}
{{- define "gateway.config" -}}
{{- $state := include "gateway.stateMount" . -}}
{{- $config := deepCopy .Values.muster -}}
{{- with $config.toolsetPresets -}}
{{- $_ := set $config "toolsetPresets" (include "library.presets.set" . | fromJson) -}}
{{- end -}}
{{- $_ := set $config "apiGroup" (include "library.apiGroup" .) -}}
{{- $_ := set $config "labelDomain" (include "library.labelDomain" .) -}}
{{- if not $config.stateDirectory -}}{{- $_ := set $config "stateDirectory" (printf "%s/state" $state) -}}{{- end -}}
{{- $workflows := $config.workflows | default dict -}}
{{- if not (or $workflows.executionsDirectory (include "gateway.storesRuns" .)) -}}
{{- $_ := set $workflows "executionsDirectory" (printf "%s/executions" $state) -}}
{{- end -}}
{{- with $workflows -}}{{- $_ := set $config "workflows" . -}}{{- end -}}
{{- $http := $config.http | default dict -}}
{{- $_ := set $http "allowedHosts" (include "gateway.hosts" . | fromJsonArray) -}}
{{- $_ := set $config "http" $http -}}
{{- include "gateway.tokenHosts" (dict "root" . "config" $config) -}}
{{- with include "gateway.state" . | fromJson -}}{{- $_ := set $config "state" . -}}{{- end -}}
{{- if include "gateway.readsCluster" . -}}{{- $_ := set $config "kubernetes" (include "gateway.kubernetes" . | fromJson) -}}{{- end -}}
{{- include "library.yaml" $config -}}
{{- end -}}

{{/* Renders the hosts that tokens go to over plain HTTP in the configuration: a parent chart names Services of its release. */}}
{{- define "gateway.tokenHosts" -}}
{{- $root := .root -}}
{{- with .config.servers -}}
{{- if .plainHttpTokenHosts -}}
{{- $hosts := list -}}
{{- range .plainHttpTokenHosts -}}{{- $hosts = append $hosts (tpl . $root) -}}{{- end -}}
{{- $_ := set . "plainHttpTokenHosts" $hosts -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* A resource as a document: `dict "root" $ "kind" "MCPServer" "name" $name "resource" $resource`. */}}
{{- define "gateway.document" -}}
apiVersion: {{ printf "%s/v1alpha1" (include "library.apiGroup" .root) }}
kind: {{ .kind }}
metadata:
  name: {{ quote .name }}
  namespace: {{ quote .root.Release.Namespace }}
  {{- with .resource.labels }}
  labels:
    {{- include "library.yaml" . | nindent 4 }}
  {{- end }}
  {{- with .resource.annotations }}
  annotations:
    {{- include "library.yaml" . | nindent 4 }}
  {{- end }}
spec:
  {{- include "library.yaml" .resource.spec | nindent 2 }}
{{- end -}}

{{/* A ConfigMap of documents: `dict "root" $ "kind" "MCPServer" "folder" "mcpservers" "resources" .Values.mcpservers`. */}}
{{- define "gateway.documents" -}}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ include "library.fullname" .root }}-{{ .folder }}
  namespace: {{ quote .root.Release.Namespace }}
  labels:
    {{- include "library.labels" .root | nindent 4 }}
data:
  {{- $given := . }}
  {{- range $name, $resource := .resources }}
  {{ printf "%s.yaml" $name | quote }}: |
    {{- include "gateway.document" (dict "root" $given.root "kind" $given.kind "name" $name "resource" $resource) | nindent 4 }}
  {{- end }}
{{- end -}}
