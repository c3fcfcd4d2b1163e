import { stringify } from 'yaml';
import { createOpenApiDocument, type OpenApiOptions } from './open-api-document.ts';

/** The OpenAPI document as YAML, for `/api/v1/openapi.yaml`: the same text for the same options. @spec §4.4 */
export const formatOpenApiYaml = (options: OpenApiOptions): string =>
  stringify(createOpenApiDocument(options), {
    aliasDuplicateObjects: false,
    // Readers of YAML 1.1 take `no` and `on` for truth values.
    compat: 'yaml-1.1',
    lineWidth: 0,
  });
