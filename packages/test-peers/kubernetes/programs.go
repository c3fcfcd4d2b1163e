//go:build programs

// Package programs names the programs that tests start, so that their modules are pinned in go.mod and go.sum.
package programs

import (
	_ "go.etcd.io/etcd/server/v3"
	_ "k8s.io/kubernetes/cmd/kube-apiserver"
	_ "k8s.io/kubernetes/cmd/kube-controller-manager"
)
