/** The most characters of `MCPServer.spec.description`. @spec §2.6, §8 */
export const MAX_SERVER_DESCRIPTION_CHARS = 500;

/** Connection timeout of a remote server in seconds, unless `spec.timeout` says otherwise. @spec §8 */
export const DEFAULT_TIMEOUT_SECONDS = 30;
/** The shortest `spec.timeout` in seconds. @spec §8 */
export const MIN_TIMEOUT_SECONDS = 1;
/** The longest `spec.timeout` in seconds. @spec §8 */
export const MAX_TIMEOUT_SECONDS = 300;

/** Whether a server starts with the gateway, unless `spec.autoStart` says otherwise. @spec §8 */
export const DEFAULT_AUTO_START = false;

/** Scopes of an exchanged token, unless `tokenExchange.scopes` says otherwise. @spec §2.6 */
export const DEFAULT_TOKEN_EXCHANGE_SCOPES = 'openid profile email groups';
/** Key of the client id in the referenced Secret, unless `clientIdKey` says otherwise. @spec §2.6 */
export const DEFAULT_CLIENT_ID_KEY = 'client-id';
/** Key of the client secret, unless `clientSecretKey` says otherwise. @spec §2.6 */
export const DEFAULT_CLIENT_SECRET_KEY = 'client-secret';

/** The namespace of a resource that names none. */
export const DEFAULT_NAMESPACE = 'default';

/** The most characters of a DNS subdomain. RFC 1123 as Kubernetes applies it. */
export const MAX_SUBDOMAIN_CHARS = 253;
/** The most characters of a DNS label, of a label's name and of a label's value. */
export const MAX_DNS_LABEL_CHARS = 63;
/** The most labels, and the most annotations, of one resource. */
export const MAX_METADATA_ENTRIES = 256;
/** The most characters of one annotation's value. */
export const MAX_ANNOTATION_CHARS = 65_536;

/** The most characters of `toolPrefix`, `family.name`, `family.instanceArg` and `connectorId`. */
export const MAX_IDENTIFIER_CHARS = 128;
/** The most characters of a URL. */
export const MAX_URL_CHARS = 2_048;
/** The most characters of `spec.command`. */
export const MAX_COMMAND_CHARS = 4_096;
/** The most entries of `spec.args`. */
export const MAX_ARGS = 1_024;
/** The most characters of one argument or one environment variable's value. */
export const MAX_PROCESS_TEXT_CHARS = 65_536;
/** The most environment variables of one server. */
export const MAX_ENV_ENTRIES = 1_024;
/** The most characters of an environment variable's name. */
export const MAX_ENV_NAME_CHARS = 256;
/** The most headers of one server. */
export const MAX_HEADERS = 128;
/** The most characters of a header's name. */
export const MAX_HEADER_NAME_CHARS = 256;
/** The most characters of a header's value. */
export const MAX_HEADER_VALUE_CHARS = 8_192;
/** The most characters of a list of OAuth scopes. */
export const MAX_SCOPES_CHARS = 2_048;
/** The most entries of `auth.requiredAudiences`. */
export const MAX_AUDIENCES = 64;
/** The most characters of one audience. */
export const MAX_AUDIENCE_CHARS = 1_024;

/** The most problems that one document reports. */
export const MAX_ISSUES = 100;
