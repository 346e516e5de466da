-- What no other row proves: the answer to a quote, and who sells at which rate of VAT. `submission_id` has the terms, because each link of
-- the chain has that column, whatever the event: the Worker before this one seals them right, too.
CREATE TRIGGER `quotes_are_logged` AFTER UPDATE OF `state` ON `quotes`
BEGIN
  INSERT INTO `audit_log` (`at`, `event`, `actor`, `submission_id`)
    VALUES (NEW.`answered_at`, 'quote ' || NEW.`state`, NEW.`answered_by`, json_array('quote', NEW.`id`, NEW.`state`, NEW.`customer_id`,
      NEW.`instrument_id`, NEW.`quantity`, NEW.`unit_price_cents`, NEW.`valid_until`));
END;
--> statement-breakpoint
CREATE TRIGGER `sellers_are_logged` AFTER INSERT ON `sellers`
BEGIN
  INSERT INTO `audit_log` (`at`, `event`, `actor`, `submission_id`)
    VALUES (NEW.`created_at`, 'seller stored', 'shop',
      json_array('seller', NEW.`id`, NEW.`name`, NEW.`address`, NEW.`vat_number`, NEW.`vat_rate`, NEW.`created_at`));
END;
--> statement-breakpoint
-- What is there already, as it stands now: from here on it is proven.
INSERT INTO `audit_log` (`at`, `event`, `actor`, `submission_id`)
  SELECT `answered_at`, 'quote ' || `state`, `answered_by`,
    json_array('quote', `id`, `state`, `customer_id`, `instrument_id`, `quantity`, `unit_price_cents`, `valid_until`)
  FROM `quotes` WHERE `state` <> 'asked' ORDER BY `answered_at`, `id`;
--> statement-breakpoint
INSERT INTO `audit_log` (`at`, `event`, `actor`, `submission_id`)
  SELECT `created_at`, 'seller stored', 'shop', json_array('seller', `id`, `name`, `address`, `vat_number`, `vat_rate`, `created_at`)
  FROM `sellers` ORDER BY `id`;
--> statement-breakpoint
-- The admin of the demo shop had no event.
INSERT INTO `audit_log` (`at`, `event`, `actor`, `user_id`, `submission_id`)
  SELECT unixepoch() * 1000, 'admin granted', 'migration', `id`, json_array('role', `id`, 'migration') FROM `users`
  WHERE `role` = 'admin' AND 'admin granted' IS NOT (
    SELECT `event` FROM `audit_log` WHERE `user_id` = `users`.`id` AND `event` IN ('admin granted', 'admin revoked') ORDER BY `id` DESC LIMIT 1);
