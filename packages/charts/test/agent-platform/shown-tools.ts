const TOOLS =
  'echo get-annotated-message get-env get-resource-links get-resource-reference get-roots-list get-structured-content get-sum get-tiny-image gzip-file-as-resource simulate-research-query toggle-simulated-logging toggle-subscriber-updates trigger-elicitation-request trigger-long-running-operation trigger-sampling-request trigger-url-elicitation';

/** The core tools of the gateway. */
export const CORE_TOOLS = [
  ...['auth_login', 'auth_logout', 'config_get', 'config_get_aggregator', 'config_reload'],
  ...['config_save', 'config_update_aggregator', 'events', 'mcpserver_accept', 'mcpserver_create'],
  ...['mcpserver_delete', 'mcpserver_detect', 'mcpserver_get', 'mcpserver_list'],
  ...['mcpserver_update', 'mcpserver_validate', 'service_list', 'service_restart'],
  ...['service_start', 'service_status', 'service_stop', 'workflow_available', 'workflow_create'],
  ...['workflow_delete', 'workflow_execution_get', 'workflow_execution_list', 'workflow_get'],
  ...['workflow_list', 'workflow_update', 'workflow_validate'],
].map((tool) => `core_${tool}`);

/** Returns the tools of the test server under the name of a server or family. */
export const toolsOf = (prefix: string): readonly string[] =>
  TOOLS.split(' ').map((tool) => prefix + tool);
