{{/* Names of the objects of an entry of `mcpServers`. Each takes a dict: `root`, the root context, and `entry`. */}}

{{- define "agent-platform-mcps.server.name" -}}
{{- default (printf "%v-mcp-%v" .entry.cluster .entry.group) .entry.name -}}
{{- end -}}

{{- define "agent-platform-mcps.server.namespace" -}}
{{- default .root.Release.Namespace .entry.namespace -}}
{{- end -}}

{{/* The settings of the family that the group of the entry is, as JSON; an empty mapping when it is none. */}}
{{- define "agent-platform-mcps.server.family" -}}
{{- get .root.Values.muster.families .entry.group | default dict | toJson -}}
{{- end -}}

{{/* The name of the entry in messages. */}}
{{- define "agent-platform-mcps.server.subject" -}}
{{- printf "mcpServers entry %q" (include "agent-platform-mcps.server.name" .) -}}
{{- end -}}
