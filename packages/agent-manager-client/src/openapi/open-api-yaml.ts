import { stringify } from 'yaml';
import { openApiDocument, type OpenApiOptions } from './open-api-document.ts';

/** The OpenAPI document as YAML, for `/api/v1/openapi.yaml`: the same text for the same options. @spec §4.4 */
export const openApiYaml = (options: OpenApiOptions): string =>
  stringify(openApiDocument(options), {
    aliasDuplicateObjects: false,
    // Readers of YAML 1.1 take `no` and `on` for truth values.
    compat: 'yaml-1.1',
    lineWidth: 0,
  });
