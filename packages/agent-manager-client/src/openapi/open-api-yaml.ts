import { stringify } from 'yaml';
import { createOpenApiDocument, type OpenApiOptions } from './open-api-document.ts';

/** Returns the OpenAPI document as YAML for `/api/v1/openapi.yaml`. Equal options give equal text. @spec §4.4 */
export const formatOpenApiYaml = (options: OpenApiOptions): string =>
  stringify(createOpenApiDocument(options), {
    aliasDuplicateObjects: false,
    // YAML 1.1 parsers read `no` and `on` as booleans.
    compat: 'yaml-1.1',
    lineWidth: 0,
  });
