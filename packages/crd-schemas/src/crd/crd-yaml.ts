import type { SchemaOptions } from '../schema/json-schema-of.ts';
import { customResourceDefinition, type DefinedKind } from './custom-resource-definition.ts';
import { yamlText } from './yaml-text.ts';

/** Returns the CustomResourceDefinition of a kind as one YAML document for `kubectl apply -f`. @spec §1.5, §9.1 */
export const crdYaml = (kind: DefinedKind, options: SchemaOptions = {}): string =>
  yamlText(customResourceDefinition(kind, options));
