{{/*
What is wrong with the names of presets, as far as a template can tell; empty when nothing is. Takes a dict:
  path     of the presets in the values, such as muster.muster.toolsetPresets
  presets  name -> {description, include, exclude}
*/}}
{{- define "library.presets.problem" -}}
{{- $redefined := list -}}
{{- range include "library.builtInPresets" . | splitList " " -}}
{{- if hasKey (default (dict) $.presets) . -}}{{- $redefined = append $redefined . -}}{{- end -}}
{{- end -}}
{{- with $redefined -}}
{{- printf "%s redefines %s, which is built into the gateway and cannot be redefined by configuration (the gateway pod would refuse to start, naming it); rename the preset" $.path (join ", " .) -}}
{{- end -}}
{{- end -}}
