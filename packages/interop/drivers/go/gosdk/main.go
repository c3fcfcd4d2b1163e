// The official Go SDK.
package main

import (
	"context"
	"net/http"

	"gateway.internal/compat/driver"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type connection struct {
	session *mcp.ClientSession
}

type withHeaders map[string]string

func (headers withHeaders) RoundTrip(request *http.Request) (*http.Response, error) {
	copied := request.Clone(request.Context())
	for name, value := range headers {
		copied.Header.Set(name, value)
	}
	return http.DefaultTransport.RoundTrip(copied)
}

func connect(ctx context.Context, o driver.Operation, events *driver.Events) (driver.Connection, error) {
	options := &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { events.ToolsChanged() },
		ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) {
			events.Progress.Add(1)
		},
	}
	if o.Answer != nil {
		options.ElicitationHandler = func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: o.Answer}, nil
		}
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "go-sdk", Version: "1"}, options)
	transport := &mcp.StreamableClientTransport{
		Endpoint:   o.URL,
		HTTPClient: &http.Client{Transport: withHeaders(o.Headers)},
	}
	session, err := client.Connect(ctx, transport, nil)
	if err != nil {
		return nil, err
	}
	return &connection{session}, nil
}

func (c *connection) Info() driver.Info {
	result := c.session.InitializeResult()
	info := driver.Info{Protocol: result.ProtocolVersion}
	if result.ServerInfo != nil {
		info.Server = result.ServerInfo.Name
	}
	return info
}

func (c *connection) ListTools(ctx context.Context) ([]string, error) {
	names := []string{}
	for tool, err := range c.session.Tools(ctx, nil) {
		if err != nil {
			return nil, err
		}
		names = append(names, tool.Name)
	}
	return names, nil
}

func (c *connection) CallTool(ctx context.Context, name string, arguments map[string]any, progress bool) (*driver.Result, error) {
	params := &mcp.CallToolParams{Name: name, Arguments: arguments}
	if progress {
		params.SetProgressToken("progress")
	}
	answer, err := c.session.CallTool(ctx, params)
	if err != nil {
		return nil, err
	}
	result := &driver.Result{Structured: answer.StructuredContent, IsError: answer.IsError}
	for _, item := range answer.Content {
		switch content := item.(type) {
		case *mcp.TextContent:
			result.Texts = append(result.Texts, content.Text)
		case *mcp.ImageContent:
			result.Images = append(result.Images, driver.Image{MIMEType: content.MIMEType, Data: content.Data})
		}
	}
	return result, nil
}

func (c *connection) ListResources(ctx context.Context) ([]string, error) {
	uris := []string{}
	for resource, err := range c.session.Resources(ctx, nil) {
		if err != nil {
			return nil, err
		}
		uris = append(uris, resource.URI)
	}
	return uris, nil
}

func (c *connection) ReadResource(ctx context.Context, uri string) ([]string, error) {
	answer, err := c.session.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		return nil, err
	}
	texts := []string{}
	for _, content := range answer.Contents {
		texts = append(texts, content.Text)
	}
	return texts, nil
}

func (c *connection) ListPrompts(ctx context.Context) ([]string, error) {
	names := []string{}
	for prompt, err := range c.session.Prompts(ctx, nil) {
		if err != nil {
			return nil, err
		}
		names = append(names, prompt.Name)
	}
	return names, nil
}

func (c *connection) GetPrompt(ctx context.Context, name string) ([]string, error) {
	answer, err := c.session.GetPrompt(ctx, &mcp.GetPromptParams{Name: name})
	if err != nil {
		return nil, err
	}
	texts := []string{}
	for _, message := range answer.Messages {
		if content, ok := message.Content.(*mcp.TextContent); ok {
			texts = append(texts, content.Text)
		}
	}
	return texts, nil
}

// Watch does nothing: the library listens for the notifications of its handlers by itself.
func (c *connection) Watch(context.Context) error { return nil }

func (c *connection) Close() error { return c.session.Close() }

func main() { driver.Run(connect) }
