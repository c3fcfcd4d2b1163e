import type { ApiKind } from '@gateway/kube-client';
import { API_KINDS } from './api-kinds.ts';

/** A rule of a Kubernetes role. */
export interface ApiRule {
  readonly apiGroup: string;
  readonly resource: string;
  readonly verbs: readonly string[];
}

const rule = ({ group, resource }: ApiKind, ...verbs: readonly string[]): ApiRule => ({
  apiGroup: group,
  resource,
  verbs,
});

/** Every request of this adapter in each managed namespace. The role of the chart allows exactly these. */
export const API_RULES: readonly ApiRule[] = [
  rule(API_KINDS.HelmRelease, 'get', 'list', 'watch', 'create', 'update', 'delete'),
  rule(API_KINDS.OCIRepository, 'get', 'list', 'watch', 'create', 'delete'),
  rule(API_KINDS.Agent, 'get', 'list', 'delete'),
  rule(API_KINDS.ModelConfig, 'list'),
  rule(API_KINDS.Deployment, 'get'),
  rule(API_KINDS.Pod, 'list'),
  rule(API_KINDS.Event, 'list'),
];
