/* The grammar: each action is one call. What a program means is decided after parsing. */
%code requires {
#include "frontend/ast_build.h"
#include "source/span.h"
struct parser;
typedef void *yyscan_t;
}
%code {
#include "frontend/parser_state.h"
int yylex(YYSTYPE *value, YYLTYPE *location, yyscan_t scanner);
/* Tokens pass here on their way from the lexer. */
static int next_token(YYSTYPE *value, YYLTYPE *location, yyscan_t scanner, struct parser *parser)
{
    const int token = yylex(value, location, scanner);
    parser_token(parser, token, *location);
    return token;
}
#define yylex(value, location, scanner) next_token(value, location, scanner, parser)
static void yyerror(const struct span *where, yyscan_t scanner, struct parser *parser,
                    const char *message);
#define A (parser->arena)
#define YYLLOC_DEFAULT(current, right, count)                                     \
    ((current) = (count) ? (struct span){YYRHSLOC(right, 1).start,                \
                                         YYRHSLOC(right, count).end}              \
                         : (struct span){YYRHSLOC(right, 0).end, YYRHSLOC(right, 0).end})
}
%define api.pure full
%define api.location.type {struct span}
%define api.token.prefix {TOKEN_}
%define parse.error custom
%define parse.lac full
%param {yyscan_t scanner}
%parse-param {struct parser *parser}
%expect 0

%union {
    const struct symbol *symbol;
    const struct ast *node;
    struct ast_list *list;
    int64_t integer;
    double real;
    int choice;
    struct { struct ast_list *list; size_t rows; } rows;
}

%token BORDER "border" CONST "const" DROP "drop" EACH "each" ELSE "else"
%token ESTIMATE "estimate"
%token EXAMPLE "example" EXTERN "extern" FALSE "false" FAST "fast" FILTER "filter" FIXED "fixed" FN "fn" FOR "for" FROM "from"
%token IMPORT "import" LET "let" OVER "over" PARAM "param" REPEAT "repeat"
%token REQUIRE "require" SCHEDULE "schedule" TABLE "table" TRUE "true" TRUNC "trunc"
%token UFIXED "ufixed" WHERE "where" WRAP "wrap"
%token <symbol> IN "in" IDENTIFIER "a name" STRING "a text in quotes"
%token <integer> INTEGER "an integer"
%token <real> REAL "a number"
%token ARROW "->" TO ".." BELOW "..<" ADD_ASSIGN "+=" MIN_ASSIGN "min=" MAX_ASSIGN "max="
%token OR "||" AND "&&" EQUAL "==" NOT_EQUAL "!=" LESS_EQUAL "<=" GREATER_EQUAL ">="
%token SHIFT_LEFT "<<" SHIFT_RIGHT ">>"

%left "||"
%left "&&"
%nonassoc "==" "!="
%nonassoc '<' '>' "<=" ">="
%left '|'
%left '^'
%left '&'
%left "<<" ">>"
%left '+' '-'
%left '*' '/' '%'
%precedence UNARY
%precedence '('

%type <symbol> name target path optional_text fixed_name bound
%type <list> items formals formal_list results statements block brackets bracket index_items
%type <list> names optional_domain expressions arguments argument_list over over_items lets rule_arguments
%type <list> axes unclosed_elements axis_rules directives words word_pairs types type_list elements bounds
%type <rows> rows
%type <node> item import filter function extern schedule example directive word word_pair formal type fixed_type element
%type <node> optional_default optional_range optional_each optional_type statement
%type <node> expression else_value postfix primary range binding index_item optional_where let argument over_item
%type <node> unclosed rule simple_rule axis_rule initial
%type <choice> assignment optional_drop

%%
module: items                   { parser->items = $1; } ;
items:
    %empty                      { $$ = ast_list(A); }
  | items item                  { $$ = ast_list_add(A, $1, $2); }
  | items error ';'             { $$ = $1; yyerrok; }
  | items error '}'             { $$ = $1; yyerrok; }
  | items error block           { $$ = $1; yyerrok; }
  | items FILTER error block    { $$ = $1; yyerrok; }
  | items FAST error block      { $$ = $1; yyerrok; } ;
item: import | filter | function | extern | schedule | example
  | CONST name optional_domain optional_type '=' initial ';'
        { $$ = AST_NEW(A, @$, .kind = AST_CONSTANT, .as.constant = {$2, @2, $3, $4, $6}); } ;
name: IDENTIFIER | IN ;

import:
    IMPORT path ';'             { $$ = AST_NEW(A, @2, .kind = AST_IMPORT, .as.import = {$2, true}); }
  | IMPORT STRING ';'           { $$ = AST_NEW(A, @2, .kind = AST_IMPORT, .as.import = {$2, false}); } ;
path:
    name
  | path '.' name               { $$ = symbol_format(parser->symbols, "%s.%s", $1->text, $3->text); } ;

filter:
    FILTER name '(' formals ')' ARROW results block
        { $$ = AST_NEW(A, @$, .kind = AST_FILTER, .as.filter = {$2, @2, $4, $7, $8, false}); }
  | FAST FILTER name '(' formals ')' ARROW results block
        { $$ = AST_NEW(A, @$, .kind = AST_FILTER, .as.filter = {$3, @3, $5, $8, $9, true}); } ;
results:
    formal                      { $$ = ast_list_add(A, ast_list(A), $1); }
  | '(' formal_list ')'         { $$ = $2; } ;
formals:
    %empty                      { $$ = ast_list(A); }
  | formal_list ;
formal_list:
    formal                      { $$ = ast_list_add(A, ast_list(A), $1); }
  | formal_list ',' formal      { $$ = ast_list_add(A, $1, $3); } ;
formal:
    name ':' type optional_each
        { $$ = AST_NEW(A, @$, .kind = AST_FORMAL, .as.formal = {.role = FORMAL_IMAGE, .name = $1, .name_span = @1, .type = $3, .each = $4}); }
  | PARAM name ':' type optional_default optional_range optional_text
        { $$ = AST_NEW(A, @$, .kind = AST_FORMAL, .as.formal = {.role = FORMAL_PARAM, .name = $2, .name_span = @2, .type = $4, .value = $5, .range = $6, .text = $7}); }
  | CONST name optional_type optional_default optional_range optional_text
        { $$ = AST_NEW(A, @$, .kind = AST_FORMAL, .as.formal = {.role = FORMAL_CONST, .name = $2, .name_span = @2, .type = $3, .value = $4, .range = $5, .text = $6}); } ;
optional_default: %empty { $$ = NULL; } | '=' expression { $$ = $2; } ;
optional_range:   %empty { $$ = NULL; } | IN range { $$ = $2; } ;
optional_text:    %empty { $$ = NULL; } | STRING ;
optional_each:    %empty { $$ = NULL; } | EACH binding { $$ = $2; } ;
optional_type:    %empty { $$ = NULL; } | ':' type { $$ = $2; } ;

type:
    name                        { $$ = AST_NEW(A, @$, .kind = AST_TYPE, .as.type = {.element = $1}); }
  | WRAP '<' elements '>'       { $$ = AST_NEW(A, @$, .kind = AST_TYPE, .as.type = {.constructor = symbol_from(parser->symbols, "wrap"), .arguments = $3}); }
  | name '<' elements '>'       { $$ = AST_NEW(A, @$, .kind = AST_TYPE, .as.type = {.constructor = $1, .arguments = $3}); }
  | fixed_type
  | name '<' elements '>' axes
        { $$ = AST_NEW(A, @$, .kind = AST_TYPE, .as.type = {.constructor = $1, .inner = $3->item[0], .arguments = $3, .names = $5}); }
  | WRAP '<' unclosed_elements ">>"
        { $$ = AST_NEW(A, @$, .kind = AST_TYPE, .as.type = {.constructor = symbol_from(parser->symbols, "wrap"), .arguments = $3}); }
  | name '<' unclosed_elements ">>"
        { $$ = AST_NEW(A, @$, .kind = AST_TYPE, .as.type = {.constructor = $1, .arguments = $3}); }
  | name '<' unclosed_elements ">>" axes
        { $$ = AST_NEW(A, @$, .kind = AST_TYPE, .as.type = {.constructor = $1, .inner = $3->item[0], .arguments = $3, .names = $5}); }
  | '{' names '}'               { $$ = AST_NEW(A, @$, .kind = AST_TYPE, .as.type = {.names = $2}); }
  | '(' type ',' type_list ')'
        { $$ = AST_NEW(A, @$, .kind = AST_TYPE, .as.type = {.arguments = parser_prepend(parser, $2, $4)}); } ;
fixed_type: fixed_name '<' elements '>'
        { $$ = AST_NEW(A, @$, .kind = AST_TYPE, .as.type = {.constructor = $1, .arguments = $3}); } ;
fixed_name:
    FIXED                       { $$ = symbol_from(parser->symbols, "fixed"); }
  | UFIXED                      { $$ = symbol_from(parser->symbols, "ufixed"); } ;
axes: '[' names ']' { $$ = $2; } | '[' ']' { $$ = ast_list(A); } ;
/* In image<fixed<4, 12>> one token closes both. */
unclosed_elements:
    unclosed                    { $$ = ast_list_add(A, ast_list(A), $1); }
  | elements ',' unclosed       { $$ = ast_list_add(A, $1, $3); } ;
unclosed:
    WRAP '<' elements           { $$ = AST_NEW(A, @$, .kind = AST_TYPE, .as.type = {.constructor = symbol_from(parser->symbols, "wrap"), .arguments = $3}); }
  | fixed_name '<' elements     { $$ = AST_NEW(A, @$, .kind = AST_TYPE, .as.type = {.constructor = $1, .arguments = $3}); }
  | name '<' elements           { $$ = AST_NEW(A, @$, .kind = AST_TYPE, .as.type = {.constructor = $1, .arguments = $3}); } ;
elements:
    element                     { $$ = ast_list_add(A, ast_list(A), $1); }
  | elements ',' element        { $$ = ast_list_add(A, $1, $3); } ;
element: type
  | name ':' bounds             { $$ = AST_NEW(A, @$, .kind = AST_TYPE, .as.type = {.element = $1, .names = $3, .bounded = true}); }
  | WRAP                        { $$ = AST_NEW(A, @$, .kind = AST_TYPE, .as.type = {.element = symbol_from(parser->symbols, "wrap")}); }
  | '-' INTEGER                 { $$ = AST_NEW(A, @$, .kind = AST_INTEGER, .as.integer = -$2); }
  | INTEGER                     { $$ = AST_NEW(A, @$, .kind = AST_INTEGER, .as.integer = $1); } ;
bounds:
    bound                       { $$ = ast_list_add(A, ast_list(A), AST_NEW(A, @1, .kind = AST_NAME, .as.name = $1)); }
  | bounds '|' bound            { $$ = ast_list_add(A, $1, AST_NEW(A, @3, .kind = AST_NAME, .as.name = $3)); } ;
bound: name | fixed_name ;
types: %empty { $$ = ast_list(A); } | type_list ;
type_list:
    type                        { $$ = ast_list_add(A, ast_list(A), $1); }
  | type_list ',' type          { $$ = ast_list_add(A, $1, $3); } ;
names:
    name                        { $$ = ast_list_add(A, ast_list(A), AST_NEW(A, @1, .kind = AST_NAME, .as.name = $1)); }
  | names ',' name              { $$ = ast_list_add(A, $1, AST_NEW(A, @3, .kind = AST_NAME, .as.name = $3)); } ;

function: FN name '(' formals ')' ARROW type '=' expression ';'
        { $$ = AST_NEW(A, @$, .kind = AST_FUNCTION, .as.function = {$2, @2, $4, $7, $9}); } ;
extern: EXTERN FN name '(' types ')' ARROW type FROM STRING ';'
        { $$ = AST_NEW(A, @$, .kind = AST_EXTERN, .as.external = {$3, $10, $5, $8}); } ;
schedule: SCHEDULE name FOR target '{' directives '}'
        { $$ = AST_NEW(A, @$, .kind = AST_SCHEDULE, .as.schedule = {$2, $4, $6}); } ;
target:
    name
  | target '-' name             { $$ = symbol_format(parser->symbols, "%s-%s", $1->text, $3->text); } ;
directives:
    %empty                      { $$ = ast_list(A); }
  | directives directive        { $$ = ast_list_add(A, $1, $2); }
  | directives error ';'        { $$ = $1; yyerrok; } ;
directive:
    words optional_where ';'    { $$ = AST_NEW(A, @$, .kind = AST_DIRECTIVE, .as.directive = {$1, $2}); } ;
words:
    word                        { $$ = ast_list_add(A, ast_list(A), $1); }
  | words word                  { $$ = ast_list_add(A, $1, $2); } ;
word:
    path                        { $$ = AST_NEW(A, @$, .kind = AST_NAME, .as.name = $1); }
  | INTEGER                     { $$ = AST_NEW(A, @$, .kind = AST_INTEGER, .as.integer = $1); }
  | '(' word_pairs ')'          { $$ = AST_NEW(A, @$, .kind = AST_LIST, .as.list = $2); } ;
word_pairs:
    word_pair                   { $$ = ast_list_add(A, ast_list(A), $1); }
  | word_pairs ',' word_pair    { $$ = ast_list_add(A, $1, $3); } ;
word_pair:
    path                        { $$ = AST_NEW(A, @$, .kind = AST_NAME, .as.name = $1); }
  | path ':' INTEGER
        { $$ = AST_NEW(A, @$, .kind = AST_NAMED, .as.named = {$1, AST_NEW(A, @3, .kind = AST_INTEGER, .as.integer = $3)}); } ;

block:
    '{' statements '}'          { $$ = $2; }
  | '{' statements error '}'    { $$ = $2; yyerrok; } ;
statements:
    %empty                      { $$ = ast_list(A); }
  | statements statement        { $$ = ast_list_add(A, $1, $2); }
  | statements error ';'        { $$ = $1; yyerrok; }
  | statements error block      { $$ = $1; yyerrok; } ;
statement:
    BORDER rule ';'             { $$ = AST_NEW(A, @$, .kind = AST_DEFAULT_BORDER, .as.default_border = {.rule = $2}); }
  | BORDER name rule ';'        { $$ = AST_NEW(A, @$, .kind = AST_DEFAULT_BORDER, .as.default_border = {.rule = $3, .image = $2, .image_span = @2}); }
  | CONST name optional_domain optional_type '=' initial ';'
        { $$ = AST_NEW(A, @$, .kind = AST_CONSTANT, .as.constant = {$2, @2, $3, $4, $6}); }
  | TABLE name optional_domain '=' expression ';'
        { $$ = AST_NEW(A, @$, .kind = AST_TABLE, .as.table = {$2, @2, $3, $5}); }
  | REQUIRE expression optional_text ';'
        { $$ = AST_NEW(A, @$, .kind = AST_REQUIRE, .as.require = {$2, $3}); }
  | ESTIMATE postfix '=' expression ';'
        { $$ = AST_NEW(A, @$, .kind = AST_ESTIMATE, .as.estimate = {$2, $4}); }
  | name brackets optional_type assignment expression over optional_drop ';'
        { $$ = AST_NEW(A, @$, .kind = AST_DEFINE, .as.define = {$1, @1, $2, $3, $5, (enum ast_assignment)$4, $6, $7}); }
  | name brackets ':' type ';'
        { $$ = AST_NEW(A, @$, .kind = AST_DEFINE, .as.define = {.name = $1, .name_span = @1, .brackets = $2, .type = $4}); }
  | FOR binding block           { $$ = AST_NEW(A, @$, .kind = AST_FOR, .as.loop = {$2, $3}); }
  | REPEAT expression block     { $$ = AST_NEW(A, @$, .kind = AST_REPEAT, .as.repeat = {$2, $3}); }
  | example ;
example: EXAMPLE optional_text block
        { $$ = AST_NEW(A, @$, .kind = AST_EXAMPLE, .as.example = {$3, $2}); } ;
assignment: '=' { $$ = ASSIGN_SET; } | ADD_ASSIGN { $$ = ASSIGN_ADD; } | MIN_ASSIGN { $$ = ASSIGN_MIN; } | MAX_ASSIGN { $$ = ASSIGN_MAX; } ;
over: %empty { $$ = NULL; } | OVER over_items { $$ = $2; } ;
over_items:
    over_item                   { $$ = ast_list_add(A, ast_list(A), $1); }
  | over_items ',' over_item    { $$ = ast_list_add(A, $1, $3); } ;
over_item: name { $$ = AST_NEW(A, @$, .kind = AST_NAME, .as.name = $1); } | binding ;
optional_drop: %empty { $$ = 0; } | DROP { $$ = 1; } ;
brackets:
    %empty                      { $$ = ast_list(A); }
  | brackets bracket            { $$ = ast_list_add(A, $1, AST_NEW(A, @2, .kind = AST_LIST, .as.list = $2)); } ;
bracket: '[' index_items ']' { $$ = $2; } | '[' ']' { $$ = ast_list(A); } ;
optional_domain: %empty { $$ = NULL; } | bracket ;
initial: expression
  | '{' rows '}' '/' expression
        { $$ = AST_NEW(A, @$, .kind = AST_BINARY, .as.binary = {OPERATOR_DIVIDE, AST_NEW(A, @$, .kind = AST_ARRAY, .as.array = {$2.list, $2.rows}), $5}); }
  | '{' rows '}' '*' expression
        { $$ = AST_NEW(A, @$, .kind = AST_BINARY, .as.binary = {OPERATOR_MULTIPLY, AST_NEW(A, @$, .kind = AST_ARRAY, .as.array = {$2.list, $2.rows}), $5}); }
  | '{' rows '}'                { $$ = AST_NEW(A, @$, .kind = AST_ARRAY, .as.array = {$2.list, $2.rows}); } ;
rows:
    expressions                 { $$.list = $1; $$.rows = 1; }
  | rows ';' expressions        { $$ = $1; parser_append(parser, $1.list, $3); $$.rows++; } ;

rule:
    simple_rule
  | '(' axis_rules ')'          { $$ = AST_NEW(A, @$, .kind = AST_RULE, .as.rule = {NULL, $2}); } ;
simple_rule:
    name rule_arguments         { $$ = AST_NEW(A, @$, .kind = AST_RULE, .as.rule = {$1, $2}); }
  | WRAP                        { $$ = AST_NEW(A, @$, .kind = AST_RULE, .as.rule = {symbol_from(parser->symbols, "wrap"), ast_list(A)}); } ;
rule_arguments: %empty %prec UNARY { $$ = ast_list(A); } | '(' expressions ')' { $$ = $2; } ;
axis_rules:
    axis_rule                   { $$ = ast_list_add(A, ast_list(A), $1); }
  | axis_rules ',' axis_rule    { $$ = ast_list_add(A, $1, $3); } ;
axis_rule: name ':' simple_rule { $$ = AST_NEW(A, @$, .kind = AST_NAMED, .as.named = {$1, $3}); } ;

range:
    expression TO expression    { $$ = AST_NEW(A, @$, .kind = AST_RANGE, .as.range = {$1, $3, true}); }
  | expression BELOW expression { $$ = AST_NEW(A, @$, .kind = AST_RANGE, .as.range = {$1, $3, false}); } ;
binding: name IN range          { $$ = AST_NEW(A, @$, .kind = AST_BINDING, .as.binding = {$1, @1, $3}); } ;
index_items:
    index_item                  { $$ = ast_list_add(A, ast_list(A), $1); }
  | index_items ',' index_item  { $$ = ast_list_add(A, $1, $3); } ;
index_item: expression | binding
  | name ':' expression         { $$ = AST_NEW(A, @$, .kind = AST_NAMED, .as.named = {$1, $3}); } ;
optional_where: %empty { $$ = NULL; } | WHERE expression { $$ = $2; } ;

expression:
    postfix
  | postfix ELSE else_value     { $$ = AST_NEW(A, @$, .kind = AST_ELSE, .as.otherwise = {$1, $3}); }
  | '-' expression %prec UNARY  { $$ = AST_NEW(A, @$, .kind = AST_UNARY, .as.unary = {OPERATOR_NEGATE, $2}); }
  | '+' expression %prec UNARY  { $$ = AST_NEW(A, @$, .kind = AST_UNARY, .as.unary = {OPERATOR_PLUS, $2}); }
  | '!' expression %prec UNARY  { $$ = AST_NEW(A, @$, .kind = AST_UNARY, .as.unary = {OPERATOR_NOT, $2}); }
  | expression "||" expression    { $$ = AST_NEW(A, @$, .kind = AST_BINARY, .as.binary = {OPERATOR_OR, $1, $3}); }
  | expression "&&" expression   { $$ = AST_NEW(A, @$, .kind = AST_BINARY, .as.binary = {OPERATOR_AND, $1, $3}); }
  | expression "==" expression { $$ = AST_NEW(A, @$, .kind = AST_BINARY, .as.binary = {OPERATOR_EQUAL, $1, $3}); }
  | expression "!=" expression { $$ = AST_NEW(A, @$, .kind = AST_BINARY, .as.binary = {OPERATOR_NOT_EQUAL, $1, $3}); }
  | expression '<' expression   { $$ = AST_NEW(A, @$, .kind = AST_BINARY, .as.binary = {OPERATOR_LESS, $1, $3}); }
  | expression '>' expression   { $$ = AST_NEW(A, @$, .kind = AST_BINARY, .as.binary = {OPERATOR_GREATER, $1, $3}); }
  | expression "<=" expression { $$ = AST_NEW(A, @$, .kind = AST_BINARY, .as.binary = {OPERATOR_LESS_EQUAL, $1, $3}); }
  | expression ">=" expression { $$ = AST_NEW(A, @$, .kind = AST_BINARY, .as.binary = {OPERATOR_GREATER_EQUAL, $1, $3}); }
  | expression '|' expression   { $$ = AST_NEW(A, @$, .kind = AST_BINARY, .as.binary = {OPERATOR_BIT_OR, $1, $3}); }
  | expression '^' expression   { $$ = AST_NEW(A, @$, .kind = AST_BINARY, .as.binary = {OPERATOR_BIT_XOR, $1, $3}); }
  | expression '&' expression   { $$ = AST_NEW(A, @$, .kind = AST_BINARY, .as.binary = {OPERATOR_BIT_AND, $1, $3}); }
  | expression "<<" expression  { $$ = AST_NEW(A, @$, .kind = AST_BINARY, .as.binary = {OPERATOR_SHIFT_LEFT, $1, $3}); }
  | expression ">>" expression { $$ = AST_NEW(A, @$, .kind = AST_BINARY, .as.binary = {OPERATOR_SHIFT_RIGHT, $1, $3}); }
  | expression '+' expression   { $$ = AST_NEW(A, @$, .kind = AST_BINARY, .as.binary = {OPERATOR_ADD, $1, $3}); }
  | expression '-' expression   { $$ = AST_NEW(A, @$, .kind = AST_BINARY, .as.binary = {OPERATOR_SUBTRACT, $1, $3}); }
  | expression '*' expression   { $$ = AST_NEW(A, @$, .kind = AST_BINARY, .as.binary = {OPERATOR_MULTIPLY, $1, $3}); }
  | expression '/' expression   { $$ = AST_NEW(A, @$, .kind = AST_BINARY, .as.binary = {OPERATOR_DIVIDE, $1, $3}); }
  | expression '%' expression   { $$ = AST_NEW(A, @$, .kind = AST_BINARY, .as.binary = {OPERATOR_REMAINDER, $1, $3}); } ;
else_value: postfix
  | '-' postfix                 { $$ = AST_NEW(A, @$, .kind = AST_UNARY, .as.unary = {OPERATOR_NEGATE, $2}); } ;
postfix:
    primary
  | postfix '[' index_items optional_where ']'
        { $$ = AST_NEW(A, @$, .kind = AST_INDEX, .as.index = {$1, $3, $4}); }
  | postfix '(' arguments ')'   { $$ = AST_NEW(A, @$, .kind = AST_CALL, .as.call = {$1, $3}); }
  | postfix '.' name            { $$ = AST_NEW(A, @$, .kind = AST_FIELD, .as.field = {$1, $3}); }
  | postfix BORDER rule         { $$ = AST_NEW(A, @$, .kind = AST_BORDERED, .as.bordered = {$1, $3}); } ;
primary:
    name                        { $$ = AST_NEW(A, @$, .kind = AST_NAME, .as.name = $1); }
  | INTEGER                     { $$ = AST_NEW(A, @$, .kind = AST_INTEGER, .as.integer = $1); }
  | REAL                        { $$ = AST_NEW(A, @$, .kind = AST_REAL, .as.real = $1); }
  | TRUE                        { $$ = AST_NEW(A, @$, .kind = AST_BOOLEAN, .as.boolean = true); }
  | FALSE                       { $$ = AST_NEW(A, @$, .kind = AST_BOOLEAN, .as.boolean = false); }
  | TRUNC '<' type '>' '(' expression ')'
        { $$ = AST_NEW(A, @$, .kind = AST_CONVERSION, .as.conversion = {CONVERSION_TRUNCATE, $3, $6}); }
  | WRAP '<' type '>' '(' expression ')'
        { $$ = AST_NEW(A, @$, .kind = AST_CONVERSION, .as.conversion = {CONVERSION_WRAP, $3, $6}); }
  | TRUNC '<' unclosed ">>" '(' expression ')'
        { $$ = AST_NEW(A, @$, .kind = AST_CONVERSION, .as.conversion = {CONVERSION_TRUNCATE, $3, $6}); }
  | WRAP '<' unclosed ">>" '(' expression ')'
        { $$ = AST_NEW(A, @$, .kind = AST_CONVERSION, .as.conversion = {CONVERSION_WRAP, $3, $6}); }
  | fixed_type '(' expression ')'
        { $$ = AST_NEW(A, @$, .kind = AST_CONVERSION, .as.conversion = {CONVERSION_FIXED, $1, $3}); }
  | TRUNC '(' expression ')'
        { $$ = AST_NEW(A, @$, .kind = AST_CALL, .as.call = {AST_NEW(A, @1, .kind = AST_NAME, .as.name = symbol_from(parser->symbols, "trunc")), ast_list_add(A, ast_list(A), $3)}); }
  | '(' expression ')'          { $$ = AST_NEW(A, @$, .kind = AST_PARENTHESES, .as.inner = $2); }
  | FAST '(' expression ')'     { $$ = AST_NEW(A, @$, .kind = AST_FAST, .as.inner = $3); }
  | '(' expression ',' expressions ')'
        { $$ = AST_NEW(A, @$, .kind = AST_TUPLE, .as.list = parser_prepend(parser, $2, $4)); }
  | '[' expressions ']'         { $$ = AST_NEW(A, @$, .kind = AST_LIST, .as.list = $2); }
  | '{' lets expression '}'     { $$ = AST_NEW(A, @$, .kind = AST_BLOCK, .as.block = {$2, $3}); } ;
lets:
    let                         { $$ = ast_list_add(A, ast_list(A), $1); }
  | lets let                    { $$ = ast_list_add(A, $1, $2); } ;
let:
    LET name '=' expression ';'   { $$ = AST_NEW(A, @$, .kind = AST_LET, .as.let = {$2, @2, $4, NULL}); }
  | LET '(' names ')' '=' expression ';'
        { $$ = AST_NEW(A, @$, .kind = AST_LET, .as.let = {.name_span = @3, .value = $6, .names = $3}); } ;
expressions:
    expression                  { $$ = ast_list_add(A, ast_list(A), $1); }
  | expressions ',' expression  { $$ = ast_list_add(A, $1, $3); } ;
arguments: %empty { $$ = ast_list(A); } | argument_list ;
argument_list:
    argument                    { $$ = ast_list_add(A, ast_list(A), $1); }
  | argument_list ',' argument  { $$ = ast_list_add(A, $1, $3); } ;
argument: expression
  | '(' axis_rules ')'          { $$ = AST_NEW(A, @$, .kind = AST_RULE, .as.rule = {NULL, $2}); }
  | name '=' expression         { $$ = AST_NEW(A, @$, .kind = AST_NAMED, .as.named = {$1, $3}); } ;
%%

static int yyreport_syntax_error(const yypcontext_t *context, yyscan_t scanner,
                                 struct parser *parser)
{
    (void)scanner;
    enum { MOST = YYNTOKENS };
    yysymbol_kind_t kind[MOST];
    const char *expected[MOST];
    int count = yypcontext_expected_tokens(context, kind, MOST);
    for (int i = 0; i < count; i++)
        expected[i] = yysymbol_name(kind[i]);
    const yysymbol_kind_t found = yypcontext_token(context);
    parser_unexpected(parser, *yypcontext_location(context),
                      found == YYSYMBOL_YYEMPTY ? NULL : yysymbol_name(found), expected,
                      count < 0 ? 0 : (size_t)count);
    return 0;
}

static void yyerror(const struct span *where, yyscan_t scanner, struct parser *parser,
                    const char *message)
{
    (void)scanner;
    (void)message; /* the only one left is that the parser's stack is exhausted */
    parser_too_deep(parser, *where);
}
