import type { ModelConfigList } from '@gateway/agent-manager-client';
import type { KubernetesObject } from '../store/objects.ts';
import { conditionsOf, holds } from './conditions.ts';
import { at, defined, textOf } from '../values/lenient.ts';

/** Returns the list entry of a model configuration, which may have any shape. */
export type ListedModelConfig = ModelConfigList['modelConfigs'][number];

/** A model configuration of any shape, as it is listed. */
export const readModelConfig = (object: KubernetesObject): ListedModelConfig => {
  const conditions = conditionsOf(object);
  return defined({
    name: textOf(at(object, 'metadata', 'name')) ?? '',
    namespace: textOf(at(object, 'metadata', 'namespace')) ?? '',
    provider: textOf(at(object, 'spec', 'provider')),
    model: textOf(at(object, 'spec', 'model')),
    accepted: holds(conditions, 'Accepted'),
    message: conditions.find(({ type }) => type === 'Accepted')?.message,
    managedBy: textOf(at(object, 'metadata', 'labels', 'app.kubernetes.io/managed-by')),
  });
};
