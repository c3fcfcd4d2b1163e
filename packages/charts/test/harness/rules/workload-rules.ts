import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2.js';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';
import { as, isInSameNamespace, isSelected, checkCondition, type Rule } from './rendered.ts';

/** A Deployment selects its own pods and can replace them. */
export const deploymentRule: Rule = (object) => {
  const { spec } = as<Deployment>(object);
  if (spec === undefined) return [{ path: ['spec'], message: 'is required' }];
  const wanted = spec.selector.matchLabels ?? {};
  const { type, rollingUpdate } = spec.strategy ?? {};
  const bounds = [rollingUpdate?.maxSurge, rollingUpdate?.maxUnavailable];
  return [
    ...checkCondition(Object.keys(wanted).length > 0, ['spec', 'selector'], 'must not be empty'),
    ...checkCondition(
      isSelected(spec.template.metadata?.labels ?? {}, wanted),
      ['spec', 'selector'],
      'does not match the labels of the template',
    ),
    ...checkCondition(
      type !== 'Recreate' || rollingUpdate === undefined,
      ['spec', 'strategy', 'rollingUpdate'],
      'is for the type RollingUpdate',
    ),
    ...checkCondition(
      !bounds.every((bound) => bound === 0 || bound === '0%'),
      ['spec', 'strategy'],
      'replaces no pod: maxSurge and maxUnavailable are 0',
    ),
  ];
};

/** A HorizontalPodAutoscaler scales a Deployment without replicas. */
export const autoscalerRule: Rule = (object, rendered) => {
  const { spec } = as<HorizontalPodAutoscaler>(object);
  if (spec === undefined) return [{ path: ['spec'], message: 'is required' }];
  const { kind, name } = spec.scaleTargetRef;
  const target = rendered.find(kind, name, object);
  const replicas = target === undefined ? undefined : as<Deployment>(target).spec?.replicas;
  const path = ['spec', 'scaleTargetRef'];
  return [
    ...checkCondition(target !== undefined, path, `there is no ${kind} ${name}`),
    ...checkCondition(replicas === undefined, path, `${kind} ${name} sets replicas itself`),
    ...checkCondition(
      (spec.minReplicas ?? 1) <= spec.maxReplicas,
      ['spec', 'minReplicas'],
      'is above maxReplicas',
    ),
    ...checkCondition((spec.metrics ?? []).length > 0, ['spec', 'metrics'], 'must not be empty'),
  ];
};

/** A PodDisruptionBudget has one limit and pods. */
export const disruptionRule: Rule = (object, rendered) => {
  const { minAvailable, maxUnavailable, selector } = as<PodDisruptionBudget>(object).spec ?? {};
  const wanted = selector?.matchLabels ?? {};
  const isOfPods = rendered.workloads.some(
    (workload) => isInSameNamespace(workload.object, object) && isSelected(workload.labels, wanted),
  );
  return [
    ...checkCondition(
      (minAvailable === undefined) !== (maxUnavailable === undefined),
      ['spec'],
      'must have one of minAvailable and maxUnavailable',
    ),
    ...checkCondition(
      isOfPods && Object.keys(wanted).length > 0,
      ['spec', 'selector'],
      'selects no pods of this render',
    ),
  ];
};
