import { bindingRule, roleRule } from './access-rules.ts';
import { metadataRule } from './metadata-rules.ts';
import {
  httpRouteRule,
  ingressRule,
  networkPolicyRule,
  serviceMonitorRule,
  serviceRule,
} from './network-rules.ts';
import { podRule } from './pod-rule.ts';
import { helmReleaseRule } from './release-rules.ts';
import type { Rule } from './rendered.ts';
import { claimRule, configMapRule, definitionRule, secretRule } from './stored-rules.ts';
import { autoscalerRule, deploymentRule, disruptionRule } from './workload-rules.ts';

const RULES = new Map<string, readonly Rule[]>([
  ['ClusterRole', [roleRule]],
  ['ClusterRoleBinding', [bindingRule]],
  ['ConfigMap', [configMapRule]],
  ['CustomResourceDefinition', [definitionRule]],
  ['Deployment', [deploymentRule]],
  ['HTTPRoute', [httpRouteRule]],
  ['HelmRelease', [helmReleaseRule]],
  ['HorizontalPodAutoscaler', [autoscalerRule]],
  ['Ingress', [ingressRule]],
  ['NetworkPolicy', [networkPolicyRule]],
  ['PersistentVolumeClaim', [claimRule]],
  ['PodDisruptionBudget', [disruptionRule]],
  ['Role', [roleRule]],
  ['RoleBinding', [bindingRule]],
  ['Secret', [secretRule]],
  ['Service', [serviceRule]],
  ['ServiceMonitor', [serviceMonitorRule]],
]);

/** Rules for objects beyond their shape. */
export const rulesOf = (kind: string): readonly Rule[] => [
  metadataRule,
  podRule,
  ...(RULES.get(kind) ?? []),
];
