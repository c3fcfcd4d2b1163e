import type { ResourceKind } from '../rules/cel-rule.ts';
import type { SchemaOptions } from '../schema/json-schema-of.ts';
import { customResourceDefinition } from './custom-resource-definition.ts';
import { yamlText } from './yaml-text.ts';

/** Returns the CustomResourceDefinition of a kind as one YAML document for `kubectl apply -f`. @spec §1.5, §9.1 */
export const crdYaml = (kind: ResourceKind, options: SchemaOptions = {}): string =>
  yamlText(customResourceDefinition(kind, options));
