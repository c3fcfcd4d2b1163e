{{/*
What stands in front of a chart's own keys where they are set: `muster.` for a chart that is the part `muster` of another,
nothing for the chart of a release. Takes the root context.
*/}}
{{- define "library.valuesPath" -}}
{{- range regexFindAll "/charts/[^/]+" .Template.BasePath -1 -}}
{{- trimPrefix "/charts/" . -}}.
{{- end -}}
{{- end -}}
