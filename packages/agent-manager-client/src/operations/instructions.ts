/** Instructions for models about the use of the operations, as an MCP server sends them. */
export const INSTRUCTIONS =
  'Agents declare with `toolset` which of the gateway’s tools they may use. Look with list_agents and list_model_configs, try with validate_agent, then create_agent or update_agent; get_agent_status tells when it runs.';
