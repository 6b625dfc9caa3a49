(function(){{{base}}
fetch(base+"waittime.api.aero/waittime/v2/current/MIA",{headers:{"x-apikey":"{{key}}"}});
})();
