import { API_KINDS, type ApiKind } from './api-kind.ts';

/** Permissions in the words of Kubernetes' roles. */
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

/** Everything that this adapter asks of the Kubernetes API, in each managed namespace. The role of the chart allows this and no more. */
export const API_RULES: readonly ApiRule[] = [
  rule(API_KINDS.HelmRelease, 'get', 'list', 'watch', 'create', 'update', 'delete'),
  rule(API_KINDS.OCIRepository, 'get', 'list', 'watch', 'create', 'delete'),
  rule(API_KINDS.Agent, 'get', 'list', 'delete'),
  rule(API_KINDS.ModelConfig, 'list'),
  rule(API_KINDS.Deployment, 'get'),
  rule(API_KINDS.Pod, 'list'),
  rule(API_KINDS.Event, 'list'),
];
