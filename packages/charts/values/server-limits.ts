import { serverBounds } from '@gateway/crd-schemas';
import { serverField } from '../src/chart-schema.ts';
import {
  DNS_LABEL,
  HTTP_URL,
  HTTPS_URL,
  ISSUER_URL,
  LABEL_VALUE,
  MAX_URL_CHARS,
} from './fragments/texts.ts';

const timeout = serverBounds('timeout');
const identifier = serverField('MCPServerSpec', 'toolPrefix');
const argument = serverField('Family', 'instanceArg');
const scopes = serverField('TokenExchange', 'scopes');
const headerName = serverField('HeadersFrom', 'name');
const objectName = serverField('SecretKeyRef', 'name');
const objectKey = serverField('SecretKeyRef', 'key');
const secretName = serverField('ClientCredentialsSecretRef', 'name');

/** Constraints of the resource `MCPServer` for the templates of `agent-platform-mcps`, by template name. */
export const serverLimits: Readonly<Record<string, string | number>> = {
  'timeout.min': timeout.min,
  'timeout.max': timeout.max,
  'label.pattern': DNS_LABEL.source,
  'labelValue.pattern': LABEL_VALUE.source,
  'url.max': MAX_URL_CHARS,
  'url.pattern': HTTP_URL.source,
  'httpsUrl.pattern': HTTPS_URL.source,
  'issuer.pattern': ISSUER_URL.source,
  'identifier.max': identifier.maxLength,
  'identifier.pattern': identifier.pattern,
  'argument.max': argument.maxLength,
  'argument.pattern': argument.pattern,
  'scopes.max': scopes.maxLength,
  'scopes.pattern': scopes.pattern,
  'headerName.max': headerName.maxLength,
  'headerName.pattern': headerName.pattern,
  'objectName.max': objectName.maxLength,
  'objectName.pattern': objectName.pattern,
  'objectKey.max': objectKey.maxLength,
  'objectKey.pattern': objectKey.pattern,
  'secretName.max': secretName.maxLength,
  'secretName.pattern': secretName.pattern,
};
