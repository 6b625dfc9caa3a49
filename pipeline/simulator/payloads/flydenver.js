(function(){{{base}}
var parking={headers:{"x-api-key":"{{other_key}}-parking"}};
{{far}}
fetch(base+"app.flyfruition.com/api/public/tsa",{headers:{"x-api-key":"{{key}}"}});
})();
