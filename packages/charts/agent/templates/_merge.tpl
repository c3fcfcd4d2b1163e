{{/*
Merges the map `over` into the map `into` and prints nothing. Maps are merged, everything else is replaced; null removes the key, whereas Sprig's mergeOverwrite writes it.
*/}}
{{- define "agent.merge" -}}
{{- $into := .into -}}
{{- range $key, $value := .over -}}
{{- $old := get $into $key -}}
{{- if kindIs "invalid" $value -}}
{{- $_ := unset $into $key -}}
{{- else if and (kindIs "map" $value) (kindIs "map" $old) -}}
{{- include "agent.merge" (dict "into" $old "over" $value) -}}
{{- else -}}
{{- $_ := set $into $key $value -}}
{{- end -}}
{{- end -}}
{{- end -}}
