import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1.js';
import type { ConfigMap, PersistentVolumeClaim, Secret } from 'kubernetes-types/core/v1.js';
import { as, checkCondition, type Rule } from './rendered.ts';

const KEY = /^[-._a-zA-Z0-9]{1,253}$/u;
const BASE64 = /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u;
const MAX_BYTES = 1024 * 1024;

const dataRule =
  (maps: readonly Readonly<Record<string, string>>[]): Rule =>
  () => {
    const entries = maps.flatMap((map) => Object.entries(map));
    const bytes = entries.reduce((sum, [, value]) => sum + Buffer.byteLength(value), 0);
    return [
      ...entries
        .filter(([key]) => !KEY.test(key))
        .map(([key]) => ({ path: ['data', key], message: 'is no key' })),
      ...checkCondition(bytes <= MAX_BYTES, ['data'], 'is larger than 1 MiB'),
    ];
  };

/** Keys of a ConfigMap are names of files, and all fits. */
export const configMapRule: Rule = (object, rendered) => {
  const { data = {}, binaryData = {} } = as<ConfigMap>(object);
  return dataRule([data, binaryData])(object, rendered);
};

/** As a ConfigMap, with `data` in base64. */
export const secretRule: Rule = (object, rendered) => {
  const { data = {}, stringData = {} } = as<Secret>(object);
  return [
    ...dataRule([data, stringData])(object, rendered),
    ...Object.entries(data)
      .filter(([, value]) => !BASE64.test(value))
      .map(([key]) => ({ path: ['data', key], message: 'is not in base64' })),
  ];
};

/** A claim has access modes and a size. */
export const claimRule: Rule = (object) => {
  const { accessModes = [], resources } = as<PersistentVolumeClaim>(object).spec ?? {};
  return [
    ...checkCondition(accessModes.length > 0, ['spec', 'accessModes'], 'must not be empty'),
    ...checkCondition(
      resources?.requests?.['storage'] !== undefined,
      ['spec', 'resources', 'requests', 'storage'],
      'is required',
    ),
  ];
};

/** A definition has the name of its kind, one stored version and a schema per version. */
export const definitionRule: Rule = (object) => {
  const { names, group, versions } = as<CustomResourceDefinition>(object).spec;
  return [
    ...checkCondition(
      object.metadata.name === `${names.plural}.${group}`,
      ['metadata', 'name'],
      `must be ${names.plural}.${group}`,
    ),
    ...checkCondition(
      versions.filter(({ storage }) => storage).length === 1,
      ['spec', 'versions'],
      'must store one version',
    ),
    ...checkCondition(
      versions.every(({ schema }) => schema?.openAPIV3Schema?.type === 'object'),
      ['spec', 'versions'],
      'must all have a schema of an object',
    ),
  ];
};
