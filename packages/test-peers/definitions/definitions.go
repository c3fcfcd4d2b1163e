//go:build definitions

// Package definitions names the Go types of custom resources and the program that generates their definitions, so that go.mod and go.sum pin both.
package definitions

import (
	_ "github.com/fluxcd/helm-controller/api/v2"
	_ "github.com/fluxcd/source-controller/api/v1"
	_ "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	_ "sigs.k8s.io/controller-tools/cmd/controller-gen"
	_ "sigs.k8s.io/gateway-api/apis/v1"
)
