ALTER TABLE `audit_log` ADD `about_id` text GENERATED ALWAYS AS (CASE WHEN "event" IN ('order paid', 'refund owed', 'refund made', 'refund failed', 'pieces returned',
    'payment without order', 'payment without order refunded') THEN "note" END) VIRTUAL;--> statement-breakpoint
ALTER TABLE `emails` ADD `kind` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `emails` ADD `about_id` text;--> statement-breakpoint
UPDATE `emails` SET `kind` = substr(`id`, 1, instr(`id`, ':') - 1) WHERE instr(`id`, ':') > 0;--> statement-breakpoint
UPDATE `emails` SET `about_id` = substr(`id`, instr(`id`, ':') + 1)
  WHERE `kind` IN ('contact', 'back in stock', 'quote asked', 'quote offered', 'quote declined');--> statement-breakpoint
DROP TRIGGER `audit_log_emails_the_shop`;--> statement-breakpoint
CREATE TRIGGER `audit_log_emails_the_shop` AFTER INSERT ON `audit_log`
WHEN NEW.`event` = 'order paid' AND (SELECT `order_emails` FROM `shop_settings`) = 'each'
BEGIN
  INSERT INTO `emails` (`id`, `recipient`, `subject`, `text`, `html`, `created_at`, `due_at`, `audit_log_id`, `kind`)
    VALUES ('shop order:' || NEW.`order_id`, 'shop', '', '', '', NEW.`at`, NEW.`at`, NEW.`id`, 'shop order');
END;--> statement-breakpoint
DROP TRIGGER `audit_log_enqueues_emails`;--> statement-breakpoint
CREATE TRIGGER `audit_log_enqueues_emails` AFTER INSERT ON `audit_log`
WHEN NEW.`event` IN ('order placed', 'order paid', 'order shipped', 'order cancelled', 'refund made')
  -- The terms of such an order are the words of whoever did not own the address; who closes an account gets one email about it.
  AND NEW.`actor` NOT IN ('account recovery', 'account closed')
BEGIN
  INSERT INTO `emails` (`id`, `recipient`, `subject`, `text`, `html`, `created_at`, `due_at`, `audit_log_id`, `kind`)
    SELECT NEW.`event` || ':' || `orders`.`id` || CASE NEW.`event` WHEN 'refund made' THEN ':' || NEW.`about_id` ELSE '' END,
      `orders`.`customer_email`, '', '', '', NEW.`at`, NEW.`at`, NEW.`id`, NEW.`event`
    FROM `orders` JOIN `users` ON `users`.`id` = `orders`.`customer_id`
    WHERE `orders`.`id` = NEW.`order_id` AND `orders`.`customer_email` <> 'closed account'
      AND (`users`.`email_verified_at` IS NOT NULL OR NEW.`event` IN ('order paid', 'order shipped', 'refund made'));
END;--> statement-breakpoint
DROP TRIGGER `audit_log_issues_credit_notes`;--> statement-breakpoint
CREATE TRIGGER `audit_log_issues_credit_notes` AFTER INSERT ON `audit_log` WHEN NEW.`event` = 'refund made'
BEGIN
  INSERT INTO `credit_notes` (`series`, `number`, `order_id`, `order_refund_id`, `is_reversal`, `amount_cents`, `issued_at`)
    SELECT `current`.`series`, 1 + (SELECT coalesce(max(`number`), 0) FROM `credit_notes` WHERE `credit_notes`.`series` = `current`.`series`),
      `order_refunds`.`order_id`, `order_refunds`.`id`, 0, `amount_cents`, NEW.`at`
    FROM `order_refunds` JOIN `invoices` ON `invoices`.`order_id` = `order_refunds`.`order_id`
      JOIN (SELECT coalesce(max(`invoice_series`), 1) AS `series` FROM `shop_settings`) AS `current`
    WHERE `order_refunds`.`id` = NEW.`about_id`;
END;--> statement-breakpoint
DROP TRIGGER `instruments_back_in_stock_email_wishes`;--> statement-breakpoint
CREATE TRIGGER `instruments_back_in_stock_email_wishes` AFTER UPDATE OF `available_quantity`, `min_quantity`, `removed_at` ON `instruments`
WHEN NEW.`removed_at` IS NULL AND NEW.`available_quantity` >= NEW.`min_quantity`
  AND (OLD.`removed_at` IS NOT NULL OR OLD.`available_quantity` < OLD.`min_quantity`)
BEGIN
  INSERT INTO `emails` (`id`, `recipient`, `subject`, `text`, `html`, `created_at`, `due_at`, `kind`, `about_id`)
    SELECT 'back in stock:' || `wishes`.`id`, `users`.`email`, '', '', '', `last`.`at`,
      `last`.`at` + 30000 * ((row_number() OVER (ORDER BY `wishes`.`created_at`, `wishes`.`id`) - 1) / 20), 'back in stock', `wishes`.`id`
    FROM `wishes` JOIN `users` ON `users`.`id` = `wishes`.`user_id`
    CROSS JOIN (SELECT `at` FROM `audit_log` ORDER BY `id` DESC LIMIT 1) AS `last`
    WHERE `wishes`.`instrument_id` = NEW.`id` AND `wishes`.`emailed_at` IS NULL AND `users`.`email_verified_at` IS NOT NULL;
  UPDATE `wishes` SET `emailed_at` = (SELECT `at` FROM `audit_log` ORDER BY `id` DESC LIMIT 1)
    WHERE `instrument_id` = NEW.`id` AND `emailed_at` IS NULL
      AND EXISTS (SELECT 1 FROM `users` WHERE `id` = `wishes`.`user_id` AND `email_verified_at` IS NOT NULL);
END;--> statement-breakpoint
DROP TRIGGER `instruments_low_stock_emails_the_shop`;--> statement-breakpoint
CREATE TRIGGER `instruments_low_stock_emails_the_shop` AFTER UPDATE OF `available_quantity` ON `instruments`
WHEN OLD.`available_quantity` > NEW.`low_stock_threshold` AND NEW.`available_quantity` <= NEW.`low_stock_threshold`
BEGIN
  INSERT INTO `emails` (`id`, `recipient`, `subject`, `text`, `html`, `created_at`, `due_at`, `audit_log_id`, `kind`)
    SELECT 'low stock:' || NEW.`id` || ':' || `id`, 'shop', '', '', '', `at`, `at`, `id`, 'low stock'
    FROM `audit_log` ORDER BY `id` DESC LIMIT 1;
END;--> statement-breakpoint
DROP TRIGGER `quotes_email_the_customer`;--> statement-breakpoint
CREATE TRIGGER `quotes_email_the_customer` AFTER UPDATE OF `state` ON `quotes`
BEGIN
  INSERT INTO `emails` (`id`, `recipient`, `subject`, `text`, `html`, `created_at`, `due_at`, `kind`, `about_id`)
    SELECT 'quote ' || NEW.`state` || ':' || NEW.`id`, `email`, '', '', '', NEW.`answered_at`, NEW.`answered_at`,
      'quote ' || NEW.`state`, NEW.`id`
    FROM `users` WHERE `id` = NEW.`customer_id` AND `email_verified_at` IS NOT NULL;
END;--> statement-breakpoint
DROP TRIGGER `quotes_email_the_shop`;--> statement-breakpoint
CREATE TRIGGER `quotes_email_the_shop` AFTER INSERT ON `quotes`
BEGIN
  INSERT INTO `emails` (`id`, `recipient`, `subject`, `text`, `html`, `created_at`, `due_at`, `kind`, `about_id`)
    VALUES ('quote asked:' || NEW.`id`, 'shop', '', '', '', NEW.`created_at`, NEW.`created_at`, 'quote asked', NEW.`id`);
END;--> statement-breakpoint
-- For a Worker before these columns, which writes `kind:about:…` alone. To be dropped with the release after.
CREATE TRIGGER `emails_of_an_older_worker` AFTER INSERT ON `emails` WHEN NEW.`kind` = '' AND NEW.`id` LIKE '%:%'
BEGIN
  UPDATE `emails` SET (`kind`, `about_id`) = (
    SELECT `words` ->> 0, iif(`words` ->> 0 = 'contact', `words` ->> 1, NULL)
    FROM (SELECT '["' || replace(NEW.`id`, ':', '","') || '"]' AS `words`)
  ) WHERE `id` = NEW.`id`;
END;
