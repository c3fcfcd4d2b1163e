// Package driver runs the operations of the compatibility suite with one client library.
//
// The suite sends one operation a line on standard input, as JSON. The answer is one line on standard output: {"value": ...},
// {"absent": reason} when the library has no such feature, or {"error": text}.
package driver

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"sync/atomic"
)

// Operation is one request of the suite.
type Operation struct {
	Do        string            `json:"do"`
	URL       string            `json:"url"`
	Headers   map[string]string `json:"headers"`
	Answer    map[string]any    `json:"answer"`
	Name      string            `json:"name"`
	Arguments map[string]any    `json:"arguments"`
	Progress  bool              `json:"progress"`
	URI       string            `json:"uri"`
}

// Info describes a connection.
type Info struct {
	Server   string `json:"server"`
	Protocol string `json:"protocol"`
}

// Image is one image of the result of a tool.
type Image struct {
	MIMEType string `json:"mimeType"`
	Data     []byte `json:"data"`
}

// Result is the result of a tool.
type Result struct {
	Texts      []string `json:"texts"`
	Images     []Image  `json:"images"`
	Structured any      `json:"structured"`
	IsError    bool     `json:"isError"`
	Progress   int64    `json:"progress"`
}

// Absent is the error of an operation that the library does not have. The text is the reason.
type Absent string

func (reason Absent) Error() string { return string(reason) }

// Events are the notifications of a connection.
type Events struct {
	Progress atomic.Int64
	changed  chan struct{}
}

// NewEvents returns the notifications of a new connection.
func NewEvents() *Events { return &Events{changed: make(chan struct{}, 1)} }

// ToolsChanged records a notification of changed tools.
func (events *Events) ToolsChanged() {
	select {
	case events.changed <- struct{}{}:
	default:
	}
}

// Connection is an open connection of a library. With progress, CallTool asks for notifications.
type Connection interface {
	Info() Info
	ListTools(ctx context.Context) ([]string, error)
	CallTool(ctx context.Context, name string, arguments map[string]any, progress bool) (*Result, error)
	ListResources(ctx context.Context) ([]string, error)
	ReadResource(ctx context.Context, uri string) ([]string, error)
	ListPrompts(ctx context.Context) ([]string, error)
	GetPrompt(ctx context.Context, name string) ([]string, error)
	Watch(ctx context.Context) error
	Close() error
}

// Connect opens a connection. The operation has the address, the headers and the answer to questions.
type Connect func(ctx context.Context, operation Operation, events *Events) (Connection, error)

type session struct {
	connect    Connect
	connection Connection
	events     *Events
	cancel     context.CancelFunc
	ended      chan error
}

// Run serves operations until standard input ends.
func Run(connect Connect) {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	out := json.NewEncoder(os.Stdout)
	current := &session{connect: connect}
	for lines.Scan() {
		var operation Operation
		if err := json.Unmarshal(lines.Bytes(), &operation); err != nil {
			panic(err)
		}
		value, err := current.run(context.Background(), operation)
		_ = out.Encode(answer(value, err))
	}
}

func answer(value any, err error) map[string]any {
	var absent Absent
	switch {
	case errors.As(err, &absent):
		return map[string]any{"absent": string(absent)}
	case err != nil:
		return map[string]any{"error": err.Error()}
	default:
		return map[string]any{"value": value}
	}
}

func (s *session) run(ctx context.Context, o Operation) (any, error) {
	switch o.Do {
	case "connect":
		s.events = NewEvents()
		connection, err := s.connect(ctx, o, s.events)
		if err != nil {
			return nil, err
		}
		s.connection = connection
		return connection.Info(), nil
	case "listTools":
		return s.connection.ListTools(ctx)
	case "callTool":
		return s.call(ctx, o)
	case "startCall":
		s.start(ctx, o)
		return nil, nil
	case "cancelCall":
		s.cancel()
		<-s.ended
		return nil, nil
	case "listResources":
		return s.connection.ListResources(ctx)
	case "readResource":
		return s.connection.ReadResource(ctx, o.URI)
	case "listPrompts":
		return s.connection.ListPrompts(ctx)
	case "getPrompt":
		return s.connection.GetPrompt(ctx, o.Name)
	case "watch":
		return nil, s.connection.Watch(ctx)
	case "waitForChange":
		<-s.events.changed
		return nil, nil
	case "close":
		return nil, s.connection.Close()
	default:
		return nil, errors.New("unknown operation " + o.Do)
	}
}

func (s *session) call(ctx context.Context, o Operation) (any, error) {
	s.events.Progress.Store(0)
	result, err := s.connection.CallTool(ctx, o.Name, o.Arguments, o.Progress)
	if err != nil {
		return nil, err
	}
	result.Progress = s.events.Progress.Load()
	return result, nil
}

func (s *session) start(ctx context.Context, o Operation) {
	cancellable, cancel := context.WithCancel(ctx)
	s.cancel = cancel
	s.ended = make(chan error, 1)
	go func() {
		_, err := s.connection.CallTool(cancellable, o.Name, o.Arguments, false)
		s.ended <- err
	}()
}
