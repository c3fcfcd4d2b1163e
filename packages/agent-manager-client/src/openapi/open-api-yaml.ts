import { openApiDocument, type OpenApiOptions } from './open-api-document.ts';
import { yamlText } from './yaml-text.ts';

/** The OpenAPI document as YAML, for `/api/v1/openapi.yaml`: the same text for the same options. @spec §4.4 */
export const openApiYaml = (options: OpenApiOptions): string => yamlText(openApiDocument(options));
